import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { POST as previewRoute } from "@/app/api/webhooks/replays/preview/route";
import { POST as replayRoute } from "@/app/api/webhooks/replays/route";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { replayToAll } from "@/lib/webhooks/replays/replay-to-all";
import { ReplayFilter } from "@/lib/webhooks/replays/steps/replay-filter";

let account: TestAccount;
let other: TestAccount;
let developer: DashboardUser;
let support: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  other = await createTestAccount({ type: "sandbox" });
  [developer, support] = await Promise.all([signInAs(account, "developer"), signInAs(account, "support")]);
});

async function subscribe(target: string, of = account): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: of.token,
    body: { target_url: `https://example.com/${target}`, subscribed_events: ["message.sent"] },
  });
  return body.id;
}

async function setActive(ids: readonly string[], is_active: boolean, of = account): Promise<void> {
  for (const id of ids) {
    const { status } = await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: of.token,
      body: { is_active },
    });
    expect(status).toBe(200);
  }
}

function emit(count: number, of = account): Promise<void> {
  const events = Array.from({ length: count }, () => testEvent(of.ref.id, { type: "message.sent" }));
  return transaction((tx) => emitEvents(tx, events));
}

function call(route: typeof replayRoute, by = developer, filter: object = { statuses: ["skipped"] }) {
  const per_second = route === replayRoute ? { per_second: 5 } : {};
  return by.call(route, { method: "POST", body: { filter, ...per_second } });
}

function notices(id: string) {
  return sql.runText<{ title: string; link: string }>({
    text: `select title, link from account_notices where object_id = $1 and dismissed_at is null order by id`,
    values: [id],
  });
}

test("all active endpoints of the account get what each of them missed, and no other endpoint anything", async () => {
  const [first, second, paused] = [await subscribe("a"), await subscribe("b"), await subscribe("c")];
  const theirs = await subscribe("theirs", other);
  await setActive([first, second, paused], false);
  await setActive([theirs], false, other);
  await emit(3);
  await emit(2, other);
  await setActive([second], true);
  await emit(1);
  await setActive([first], true);
  await setActive([theirs], true, other);

  const preview = await call(previewRoute);
  expect(preview.body).toMatchObject({ total: 7, endpoints: 2, largest: 4, most: 100_000 });
  expect(Date.parse(preview.body.oldest)).toBeLessThanOrEqual(Date.parse(preview.body.newest));

  const { status, body } = await call(replayRoute);
  expect(status).toBe(201);
  expect(body.not_started).toEqual([]);
  expect(
    body.replays.map((replay: { subscription_id: string; total: number; per_second: number }) => [
      replay.subscription_id,
      replay.total,
      replay.per_second,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [first, 4, 5],
      [second, 3, 5],
    ]),
  );
  expect(body.replays).toHaveLength(2);

  // The events wait in the replays now.
  const again = await call(replayRoute);
  expect([again.status, again.body.error.code]).toEqual([409, 2015]);
});

test("an endpoint with a running replay does not stop the others", async () => {
  const [busy, free] = [await subscribe("busy"), await subscribe("free")];
  await setActive([busy, free], false);
  await emit(1);
  await setActive([busy, free], true);
  const one = await callApi(`POST /v3/webhook-subscriptions/${busy}/replays`, {
    token: account.token,
    body: { filter: { statuses: ["skipped"] } },
  });
  expect(one.status).toBe(201);
  await setActive([busy], false);
  await emit(1);
  await setActive([busy], true);

  const { body } = await call(replayRoute);
  expect(body.replays).toMatchObject([{ subscription_id: free, total: 1 }]);
  expect(body.not_started).toEqual([
    { subscription_id: busy, reason: expect.stringContaining("still running") },
  ]);
});

test("endpoints that are not reached in time are named, and nothing is sent to them", async () => {
  const id = await subscribe("late");
  await setActive([id], false);
  await emit(1);
  await setActive([id], true);
  const filter = ReplayFilter.parse({ statuses: ["skipped"] });
  const { replays, not_started } = await replayToAll(
    account.context(),
    { body: { filter, per_second: 5 } },
    0,
  );
  expect(replays).toEqual([]);
  expect(not_started).toContainEqual({
    subscription_id: id,
    reason: expect.stringContaining("no time left"),
  });
});

test("a JSON path that can't be read is 400/1005, and a role without the right is refused", async () => {
  const wrong = await call(replayRoute, developer, { statuses: ["skipped"], json_path: "$[" });
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 1005]);
  for (const route of [previewRoute, replayRoute]) expect((await call(route, support)).status).toBe(403);
});

test("a program that resumes an endpoint leaves a notice of the skipped events, until they are replayed", async () => {
  const id = await subscribe("noticed");
  await setActive([id], false);
  await setActive([id], true);
  expect(await notices(id)).toEqual([]);
  await setActive([id], false);
  await emit(2);
  await setActive([id], true);
  expect(await notices(id)).toEqual([
    { title: "2 events for example.com/noticed were skipped", link: `/webhooks/${id}/replays?replay` },
  ]);

  await setActive([id], false);
  expect(await notices(id)).toEqual([]);
  await setActive([id], true);
  expect(await notices(id)).toEqual([]);
  await setActive([id], false);
  await emit(1);
  await setActive([id], true);
  expect(await notices(id)).toMatchObject([{ title: "1 event for example.com/noticed was skipped" }]);
  await call(replayRoute);
  expect(await notices(id)).toEqual([]);
});

test("no notice is left where replays start by themselves", async () => {
  const id = await subscribe("automatic");
  const body = { auto_replay_per_second: 10, is_active: false };
  await callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body });
  await emit(1);
  await setActive([id], true);
  expect(await notices(id)).toEqual([]);
});
