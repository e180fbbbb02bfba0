import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import * as VIEWS from "@/app/api/scheduled-messages/views/route";
import { sql } from "@/lib/platform/database/db";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import {
  createScheduledBench,
  DAY_S,
  HOUR_S,
  inSeconds,
  runDue,
} from "@/lib/testing/conversations/scheduled-bench";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const bench = createScheduledBench();

let account: TestAccount;
let person: DashboardUser;

beforeEach(async () => {
  ({ account } = bench.current());
  person = await signInAs(account, "support");
});

async function schedule(chatId: string, text: string, seconds: number) {
  const { status, body } = await bench.send(text, { send_at: inSeconds(seconds) }, {}, chatId);
  expect(status, JSON.stringify(body)).toBe(202);
  return body.message;
}

async function list(query: Record<string, string> = {}) {
  const { status, body } = await person.call(VIEWS.GET, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const textsOf = (page: { scheduled_messages: { parts: { value: string }[] }[] }) =>
  page.scheduled_messages.map(({ parts }) => parts[0]?.value);

test("the list has the messages of all chats, the next one first, with chat, line, time and who scheduled them", async () => {
  const [first, second] = [await createTestPhone(account), await createTestPhone(account)];
  const [one, two] = [await createDirectChat(account, first), await createDirectChat(account, second)];
  const { send_at } = await schedule(one, "in two hours", 2 * HOUR_S);
  await schedule(two, "in an hour", HOUR_S);
  await schedule(one, "in an hour, too", HOUR_S);

  const all = await list();
  expect(textsOf(all)).toEqual(["in an hour", "in an hour, too", "in two hours"]);
  expect(all.total).toEqual({ count: 3, is_capped: false });
  expect(all.scheduled_messages[2]).toMatchObject({
    chat_id: one,
    chat_name: null,
    recipients: [first],
    line: account.line,
    send_at,
    status: "waiting",
    failure: null,
    by: { type: "api" },
  });
  const pages = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await list({ limit: "1", ...(cursor && { cursor }) });
    pages.push(...textsOf(page));
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(textsOf(all));
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where phone_number = $1",
    values: [account.line],
  });
  expect(textsOf(await list({ line_id: line?.id ?? "" }))).toHaveLength(3);
  expect(textsOf(await list({ line_id: one }))).toEqual([]);
  const other = await signInAs(await createTestAccount({ type: "sandbox" }), "support");
  expect((await other.call(VIEWS.GET, {})).body.scheduled_messages).toEqual([]);
});

test("a message that was refused when it was due is listed with its reason for 30 days, one that was sent is not", async () => {
  const [sent, refused] = [await createTestPhone(account), await createTestPhone(account)];
  const [ok, closed] = [await createDirectChat(account, sent), await createDirectChat(account, refused)];
  await schedule(ok, "sent", HOUR_S);
  const { id, send_at } = await schedule(closed, "refused", HOUR_S);
  await writeAs(account, refused, { to: account.line, text: "STOP" });
  bench.advance(HOUR_S);
  await runDue();

  expect(textsOf(await list())).toEqual([]);
  const { scheduled_messages: found } = await list({ status: "refused" });
  expect(found).toMatchObject([
    {
      id,
      chat_id: closed,
      send_at,
      status: "refused",
      parts: [{ value: "refused" }],
      failure: { code: 2024 },
    },
  ]);
  expect(found[0].failure.title).toBe("The recipient asked to stop being messaged");
  expect((await list({ status: "refused", limit: "1" })).next_cursor).toBe(null);
  const { body } = await bench.call(`GET /v3/messages/${id}`);
  expect(body.delivery_status).toBe("failed");
  const again = await bench.call(`DELETE /v3/scheduled_messages/${id}`);
  expect(again.body.error.code).toBe(2015);

  bench.advance(30 * DAY_S + 1);
  await sweepLeftovers(new AbortController().signal);
  expect(textsOf(await list({ status: "refused" }))).toEqual([]);
});
