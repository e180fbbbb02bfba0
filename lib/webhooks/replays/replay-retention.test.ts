import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { GET as csvRoute } from "@/app/api/webhooks/[subscriptionId]/deliveries/csv/route";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { PATCH as changeRoute, GET as getRoute } from "@/app/api/webhooks/replays/[replayId]/route";
import { emitEvents } from "@/lib/events/store/emit-event";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { endOrphanedDeliveries } from "@/lib/webhooks/deliveries/end-orphaned-deliveries";
import { settleReplay } from "@/lib/webhooks/replays/steps/settle-replay";

const SAID = "refund of Ms Quartz";
const PATH = `$.message.parts[*].value like_regex "${SAID}"`;

let account: TestAccount;
let developer: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  developer = await signInAs(account, "developer");
});

async function subscribe(name: string): Promise<string> {
  const body = { target_url: `https://example.com/${name}`, subscribed_events: ["message.sent"] };
  return (await callApi("POST /v3/webhook-subscriptions", { token: account.token, body })).body.id;
}

/** Emits an event of a message with this text, whose first delivery was skipped. */
async function emitText(text: string): Promise<string> {
  const messageId = newId(now().getTime());
  const example = EVENT_CATALOG["message.sent"].payload.example;
  const message = { ...example.message, parts: [{ type: "text", value: text }] };
  const event = testEvent(account.ref.id, { messageId, data: { ...example, message } });
  await transaction((tx) => emitEvents(tx, [event]));
  await sql.runText({
    text: "update webhook_deliveries set status = 'skipped', run_at = null where replay_id is null",
  });
  return messageId;
}

async function replay(subscriptionId: string, filter: object) {
  const body = { filter: { statuses: ["skipped"], ...filter } };
  return (await developer.call(replaysRoute, { method: "POST", params: { subscriptionId }, body })).body;
}

async function readReplay(replayId: string) {
  return (await developer.call(getRoute, { params: { replayId } })).body;
}

function findTextCopies(): Promise<{ found: string }[]> {
  return sql.runText({
    text: `select 'replay' as found from webhook_replays where selection::text like $1
           union all select 'audit' from audit_entries where detail::text like $1`,
    values: [`%${SAID}%`],
  });
}

test("once a message is erased, no replay that found it and no audit entry quotes it any longer", async () => {
  const id = await subscribe("erased");
  const messageId = await emitText(SAID);
  const { id: replayId } = await replay(id, { json_path: PATH });
  expect((await readReplay(replayId)).selection.filter.json_path).toBe(PATH);
  expect(await findTextCopies()).toEqual([{ found: "replay" }]);

  await transaction((tx) => eraseContent(tx, account.ref.id, [messageId]));

  expect((await readReplay(replayId)).selection.filter).toMatchObject({ json_path: "(erased)" });
  expect(await findTextCopies()).toEqual([]);
});

test("a replay that found only other messages keeps its path; one that is canceled does not", async () => {
  const id = await subscribe("kept");
  await emitText(SAID);
  const other = await emitText("nothing of the kind");
  const { id: replayId } = await replay(id, { json_path: PATH });

  await transaction((tx) => eraseContent(tx, account.ref.id, [other]));
  expect((await readReplay(replayId)).selection.filter.json_path).toBe(PATH);

  const canceled = { method: "PATCH", params: { replayId }, body: { state: "canceled" } } as const;
  expect((await developer.call(changeRoute, canceled)).status).toBe(200);
  expect(await findTextCopies()).toEqual([]);
});

test("a delivery whose event is gone is ended, and its replay with it; others wait on", async () => {
  const id = await subscribe("orphaned");
  const gone = await emitText("gone");
  await emitText("here");
  const { id: replayId } = await replay(id, {});
  await sql.runText({ text: "delete from events where message_id = $1", values: [gone] });

  expect(await endOrphanedDeliveries()).toBe(1);
  expect(await endOrphanedDeliveries()).toBe(0);
  expect(await readReplay(replayId)).toMatchObject({ total: 2, skipped: 1, ended_at: null });

  await sql.runText({
    text: "update webhook_deliveries set status = 'delivered' where replay_id = $1 and status = 'waiting'",
    values: [replayId],
  });
  await settleReplay({ accountId: account.ref.id, id: replayId }, now());
  expect(await readReplay(replayId)).toMatchObject({ state: "done", delivered: 1, skipped: 1 });
});

test("the deliveries a filter finds are exported as CSV, newest first, and nothing in them is a formula", async () => {
  const id = await subscribe("exported");
  await emitText("one");
  await emitText("two");
  const trace = "=HYPERLINK(1)";
  await sql.runText({ text: "update events set trace_id = $1 where type = 'message.sent'", values: [trace] });
  const call = (query: Record<string, string>) =>
    developer.call(csvRoute, { params: { subscriptionId: id }, query });

  const { body, headers } = await call({ status: "skipped" });
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toBe(`attachment; filename="deliveries-${id}.csv"`);
  const [head, ...rows] = body.trim().split("\n");
  expect(head).toMatch(/^\ufeff?delivery_id,event_type,/);
  expect(rows).toHaveLength(2);
  expect(rows.every((row: string) => row.includes(",'=HYPERLINK(1),"))).toBe(true);

  expect((await call({ status: "delivered" })).body.trim().split("\n")).toHaveLength(1);
  expect((await call({ chat_id: "none" })).status).toBe(400);
  const theirs = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  expect((await theirs.call(csvRoute, { params: { subscriptionId: id } })).status).toBe(403);
});
