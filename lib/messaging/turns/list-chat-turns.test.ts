import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as TURNS from "@/app/api/chats/[chatId]/turns/route";
import * as ERASURE from "@/app/api/customers/[handle]/erasure/route";
import { listMessageViews, listTimeline } from "@/lib/messaging/messages/list-message-views";
import { findTurnsOfMessages, ListChatTurns, listChatTurns } from "@/lib/messaging/turns/list-chat-turns";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { performErasure } from "@/lib/privacy/erasure/work-erasures";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createTurnBench } from "@/lib/testing/events/turn-bench";
import { advanceClock } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const bench = createTurnBench();
const { write, pass, person } = bench;

const pageOf = (chatId: string, limit = 50) =>
  listTimeline(bench.account().context(), { params: { chatId }, query: { limit } });

async function burst(from: string, texts: readonly string[]) {
  const written = [];
  for (const text of texts) written.push(await write(from, text));
  return { chatId: written[0]?.chatId ?? "", ids: written.map(({ messageId }) => messageId) };
}

test("a page of a thread has the closed turns of its messages: what is in them, why and when they closed", async () => {
  await bench.subscribe();
  const startedAt = now();
  const { chatId, ids } = await burst(person(), ["Are you", "opne", "open on Sunday?"]);
  await callApi(`DELETE /v3/messages/${ids[1]}`, { token: bench.account().token });
  expect(await pageOf(chatId)).not.toHaveProperty("turns");

  await pass(2);
  const { turns = [] } = await pageOf(chatId);
  expect(turns).toEqual([
    {
      id: expect.any(String),
      message_ids: [ids[0], ids[2]],
      withdrawn: [ids[1]],
      reason: "quiet",
      started_at: startedAt.toISOString(),
      last_message_at: startedAt.toISOString(),
      closed_at: now().toISOString(),
    },
  ]);
  // A page that begins within a turn has it, too.
  expect((await pageOf(chatId, 1)).turns).toEqual(turns);
  // Tools and tests read the messages alone.
  const messages = await listMessageViews(bench.account().context(), {
    params: { chatId },
    query: { limit: 50 },
  });
  expect(messages).not.toHaveProperty("turns");
});

test("each subscription has its own turn of a message", async () => {
  await bench.subscribe({ quiet_seconds: 1 });
  await bench.subscribe({ quiet_seconds: 4 });
  const ada = person();
  const { chatId, ids } = await burst(ada, ["one", "two"]);
  await pass(1);
  const third = await write(ada, "three");
  await pass(1);
  await pass(3);
  const { turns = [] } = await pageOf(chatId);
  expect(turns.map(({ message_ids }) => message_ids)).toEqual([
    ids,
    [third.messageId],
    [...ids, third.messageId],
  ]);
});

test("the dashboard reads a turn by the id of its event, in its own chat and account only", async () => {
  await bench.subscribe();
  const { chatId, ids } = await burst(person(), ["mine"]);
  const elsewhere = await burst(person(), ["in another chat"]);
  await pass(2);
  const { turns = [] } = await pageOf(chatId);
  const query = { ids: [turns[0]?.id ?? "", "019ca9c2-4c03-7d64-bc33-5e9f40718293"] };
  const viewer = await signInAs(bench.account(), "viewer");
  const read = (of = chatId, user = viewer) =>
    user.call(TURNS.GET, { params: { chatId: of }, query: { ids: query.ids.join(",") } });

  expect((await read()).body).toEqual({ turns });
  expect((await read(elsewhere.chatId)).body).toEqual({ turns: [] });
  const other = await createTestAccount({ type: "sandbox" });
  expect((await read(chatId, await signInAs(other, "admin"))).body).toEqual({ turns: [] });
  expect(await findTurnsOfMessages(other.context(), { chatId, messageIds: ids })).toEqual([]);
  const foreign = await signInAs(other, "admin");
  expect((await foreign.call(MESSAGES.GET, { params: { chatId } })).status).toBe(403);

  const tooMany = Array.from({ length: 101 }, () => crypto.randomUUID()).join(",");
  expect(ListChatTurns.query.safeParse({ ids: tooMany }).success).toBe(false);
  const none = () => listChatTurns(other.context(), { params: { chatId }, query: { ids: [] } });
  expect(await countStatements(none)).toBe(0);
  const empty = () => findTurnsOfMessages(other.context(), { chatId, messageIds: [] });
  expect(await countStatements(empty)).toBe(0);
});

test("an erased person's turns are on no timeline", async () => {
  await bench.subscribe();
  const ada = person();
  const { chatId, ids } = await burst(ada, ["my card is", "4242"]);
  await pass(2);
  expect((await pageOf(chatId)).turns).toHaveLength(1);

  const admin = await signInAs(bench.account(), "admin");
  const { body } = await admin.call(ERASURE.POST, {
    method: "POST",
    params: { handle: ada },
    body: { confirmation: ada },
  });
  await performErasure(bench.account().ref.id, body.id);
  advanceClock(15 * 60 + 1);
  await performErasure(bench.account().ref.id, body.id);
  expect(await findTurnsOfMessages(bench.account().context(), { chatId, messageIds: ids })).toEqual([]);
});

test("the turns of a page are read by indexes, and the log is not opened for an account without turns", async () => {
  await bench.subscribe();
  const { chatId } = await burst(person(), ["one", "two", "three"]);
  await pass(2);
  // 5,000 more turns of the account, each of one message.
  await sql.runText({
    text: `with sample as (select * from events where account_id = $1 and chat_id = $2 and type = 'chat.turn' limit 1),
           message as (
             insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
               created_at, updated_at)
             select m.account_id, uuidv7(), m.chat_id, m.line_id, m.sender_id, false, '[]', 'received', '', now(), now()
             from (select * from messages where account_id = $1 and chat_id = $2 limit 1) m, generate_series(1, 5000)
             returning account_id, id),
           event as (
             insert into events (account_id, id, type, line_id, chat_id, trace_id, data, created_at)
             select s.account_id, m.id, s.type, s.line_id, s.chat_id, s.trace_id, s.data, now() from message m, sample s)
           insert into chat_turn_messages (account_id, message_id, event_id, created_at)
           select account_id, id, id, now() from message`,
    values: [bench.account().ref.id, chatId],
  });
  await sql.runText({ text: "analyze messages, events, chat_turn_messages" });

  const rows = await sql.runText<{ id: string }>({
    text: "select id from messages where account_id = $1 and chat_id = $2 order by position desc limit 50",
    values: [bench.account().ref.id, chatId],
  });
  const wanted = { chatId, messageIds: rows.map(({ id }) => id) };
  const scans = await explainStatements(() => findTurnsOfMessages(bench.account().context(), wanted));
  expect(scans.map(({ node }) => node)).not.toContain("Seq Scan");
  expect(scans.reduce((sum, scan) => sum + scan.rows, 0)).toBeLessThan(400);

  const without = await createTestAccount({ type: "sandbox" });
  const few = await explainStatements(() => findTurnsOfMessages(without.context(), wanted));
  expect(few).toEqual([expect.objectContaining({ on: "chat_turn_messages", rows: 0 })]);
  expect(few[0]?.pages).toBeLessThan(8);
});
