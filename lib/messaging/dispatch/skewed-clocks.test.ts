import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { allTransports } from "@/lib/adapters/transports/registry";
import { emitEvents } from "@/lib/events/store/emit-event";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql, transaction } from "@/lib/platform/database/db";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, untilStatus } from "@/lib/testing/factories";
import { bundleSkewedProcesses, type SkewedProcesses } from "@/lib/testing/processes/skewed-processes";
import { untilDone } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

const APART_MS = 20_000;

let account: TestAccount;
let processes: SkewedProcesses;
let running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  [account, processes] = await Promise.all([createTestAccount({ type: "sandbox" }), bundleSkewedProcesses()]);
});
afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()));
  running = [];
});
afterAll(() => processes.end());

function startWorking(): void {
  for (const transport of allTransports()) if (transport.start) running.push(transport.start(inboundSink));
  running.push(startDispatch(), startActions());
}

/** Starts two web processes with clocks 20 s apart that have not measured PostgreSQL's clock. */
function startApart() {
  return Promise.all([
    processes.start(APART_MS, { followsDatabase: false }),
    processes.start(0, { followsDatabase: false }),
  ]);
}

/** Reads all pages of a list of messages, with `limit` messages per page. */
async function listAll(path: string, limit: number): Promise<{ id: string; created_at: string }[]> {
  const all: { id: string; created_at: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await callApi(`GET ${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`, {
      token: account.token,
    });
    all.push(...body.messages);
    cursor = body.next_cursor;
  }
  return all;
}

async function timesOf(chatId: string): Promise<{ id: string; dispatch_at: Date; is_ahead: boolean }[]> {
  return sql.runText({
    text: `select id, dispatch_at, dispatch_at > clock_timestamp() or created_at > clock_timestamp() as is_ahead
           from messages where chat_id = $1 and is_from_me order by position`,
    values: [chatId],
  });
}

test("messages accepted in turn by processes 20 s apart reach the phone, and the lists, in that order", async () => {
  const apart = await startApart();
  const chats = await Promise.all(
    [1, 2].map(async () => {
      const phone = await createTestPhone(account);
      return { phone, chatId: await createDirectChat(account, phone), sent: [] as string[] };
    }),
  );
  await Promise.all(
    chats.map(async ({ chatId, sent }) => {
      for (let count = 0; count < 12; count++) {
        const id = await apart[count % 2]?.request(account.ref, chatId, { type: "send", text: `${count}` });
        if (id) sent.push(id);
      }
    }),
  );
  for (const { chatId, sent } of chats) {
    const times = await timesOf(chatId);
    expect(times.map(({ id }) => id)).toEqual(sent);
    expect(times.filter(({ is_ahead }) => is_ahead)).toEqual([]);
  }

  startWorking();
  await Promise.all(chats.flatMap(({ sent }) => sent.map((id) => untilStatus(account, id, "delivered"))));
  for (const { phone, chatId, sent } of chats) {
    const onPhone = await sql.runText<{ text: string }>({
      text: `select parts->0->>'value' as text from simulator_messages
             where account_id = $1 and handle = $2 and sender = $3 order by created_at`,
      values: [account.ref.id, phone, account.line],
    });
    expect(onPhone.map(({ text }) => text)).toEqual(sent.map((_, index) => `${index}`));

    const listed = await listAll(`/v3/chats/${chatId}/messages`, 5);
    expect(listed.slice(0, sent.length).map(({ id }) => id)).toEqual(sent.toReversed());
    const times = listed.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
  }
});

test("a thread is listed in the order of acceptance, page by page", async () => {
  const [ahead, right] = await startApart();
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const first = await right.request(account.ref, chatId, { type: "send", text: "first" });
  const reply = async (from: typeof right) =>
    (await from.request(account.ref, chatId, { type: "send", text: "reply", replyTo: first ?? "" })) ?? "";
  const replies = [await reply(ahead), await reply(right), await reply(ahead), await reply(right)];

  const listed = await listAll(`/v3/messages/${first}/thread`, 2);
  expect(listed.map(({ id }) => id)).toEqual([first, ...replies]);
});

test("actions that two processes queue in a chat are done at once, in the order of acceptance", async () => {
  const [ahead, right] = await startApart();
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  for (let count = 0; count < 3; count++) {
    await ahead.request(account.ref, chatId, { type: "start_typing" });
    await right.request(account.ref, chatId, { type: "stop_typing" });
  }
  startWorking();
  await untilDone(chatId);
  // The actions' ids follow the processes' clocks, but the phone received the actions in order.
  const typed = await sql.runText<{ is_on: boolean }>({
    text: `select (action->>'isOn')::boolean as is_on from simulator_actions
           where account_id = $1 and handles @> array[$2] order by position`,
    values: [account.ref.id, phone],
  });
  expect(typed.map(({ is_on }) => is_on)).toEqual([true, false, true, false, true, false]);
});

test("the first delivery of an event that is dated ahead is due at once", async () => {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: "https://example.com/ahead", subscribed_events: ["message.sent"] },
  });
  const at = new Date(Date.now() + 60_000);
  await transaction((tx) => emitEvents(tx, [testEvent(account.ref.id, { at })]));
  const rows = await sql.runText<{ is_due: boolean }>({
    text: "select run_at <= clock_timestamp() as is_due from webhook_deliveries where subscription_id = $1",
    values: [body.id],
  });
  expect(rows).toEqual([{ is_due: true }]);
});

test("a process follows PostgreSQL's clock, however wrong its own is", async () => {
  const wrong = await Promise.all([processes.start(APART_MS), processes.start(-APART_MS)]);
  for (const process of wrong) {
    expect(Math.abs((await process.now()) - Date.now())).toBeLessThan(APART_MS / 2);
  }
});

test("a message whose first due time is ahead does not hold up its chat", async () => {
  const [right] = await Promise.all([processes.start(0)]);
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const head = await right.request(account.ref, chatId, { type: "send", text: "head" });
  const next = await right.request(account.ref, chatId, { type: "send", text: "next" });
  await sql.runText({
    text: "update messages set dispatch_at = dispatch_at + interval '1 day' where account_id = $1 and id = $2",
    values: [account.ref.id, head],
  });
  startWorking();
  await until(async () => (await untilStatus(account, next ?? "", "delivered")).is_delivered);
});
