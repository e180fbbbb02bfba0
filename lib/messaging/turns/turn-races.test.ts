import "@/lib/testing/use-test-database";

import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { registerTransport } from "@/lib/adapters/transports/registry";
import * as emitting from "@/lib/events/store/emit-event";
import { type AwaitedRow, endAwaited } from "@/lib/messaging/inbound/end-awaited";
import { startFileFetches } from "@/lib/messaging/inbound/fetch-files";
import { closeTurn } from "@/lib/messaging/turns/close-turn";
import { startClosingTurns } from "@/lib/messaging/turns/close-turns";
import { sql, transaction } from "@/lib/platform/database/db";
import { wakeLocally } from "@/lib/platform/database/wake";
import { callApi } from "@/lib/testing/call-api";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createTurnBench, idsOf } from "@/lib/testing/events/turn-bench";
import { advanceClock } from "@/lib/testing/factories";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

const bench = createTurnBench();
const { write, pass, turns, openTurns, person, text } = bench;

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((queue) => queue.stop()));
});

/** Holds a lock until the returned function is called. */
async function hold(lock: { text: string; values: unknown[] }): Promise<() => Promise<void>> {
  let release = () => {};
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const done = transaction(async (tx) => {
    await tx.runText(lock);
    isHeld();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await held;
  return async () => {
    release();
    await done;
  };
}

function holdMessage(messageId: string) {
  return hold({
    text: "select from messages where account_id = $1 and id = $2 for update",
    values: [bench.account().ref.id, messageId],
  });
}

/** Holds the number of the next delivery to the subscription for the chat: a turn that closes waits for it, last. */
function holdSequence(subscriptionId: string, chatId: string) {
  return hold({
    text: "select from webhook_sequences where account_id = $1 and subscription_id = $2 and chat_id = $3 for update",
    values: [bench.account().ref.id, subscriptionId, chatId],
  });
}

const BOTH = { subscribed_events: ["chat.turn", "message.received"] };

async function untilTwoWait(): Promise<void> {
  await until(async () => {
    const [row] = await sql.runText<{ count: number }>({
      text: `select count(*)::int from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return row?.count === 2;
  });
}

async function dueKey() {
  const [key] = await bench.due();
  if (key === undefined) throw new Error("no turn is due");
  return key;
}

test("of two workers that close the same turn, one does; the other does not wait", async () => {
  const id = await bench.subscribe(undefined, BOTH);
  const { chatId } = await write(person(), "hi");
  advanceClock(2);
  const key = await dueKey();
  const release = await holdSequence(id, chatId);
  const first = closeTurn(key);
  await untilLocked();
  expect(await closeTurn(key)).toBe(false);
  await release();
  expect(await first).toBe(true);
  expect(await closeTurn(key)).toBe(false);
  expect(await turns(chatId)).toHaveLength(1);
});

test("a message that arrives while the turn closes begins the next one", async () => {
  const id = await bench.subscribe(undefined, BOTH);
  const ada = person();
  const first = await write(ada, "hi");
  advanceClock(2);
  const release = await holdSequence(id, first.chatId);
  const closing = closeTurn(await dueKey());
  await untilLocked();
  const arriving = write(ada, "one more");
  await untilTwoWait();
  await release();
  const second = await arriving;
  expect(await closing).toBe(true);
  await pass(2);
  expect((await turns(first.chatId)).map(idsOf)).toEqual([[first.messageId], [second.messageId]]);
});

test("a turn whose next message is being stored is not closed without it", async () => {
  const id = await bench.subscribe(undefined, BOTH);
  const ada = person();
  const first = await write(ada, "hi");
  advanceClock(2);
  const key = await dueKey();
  const release = await holdSequence(id, first.chatId);
  const arriving = write(ada, "one more");
  await untilLocked();
  expect(await closeTurn(key)).toBe(false);
  await release();
  const second = await arriving;
  expect(await closeTurn(key)).toBe(false);
  await pass(2);
  expect((await turns(first.chatId)).map(idsOf)).toEqual([[first.messageId, second.messageId]]);
});

test("a deletion during the end of a turn reaches the turn's event", async () => {
  const id = await bench.subscribe();
  const ada = person();
  const first = await write(ada, "secret");
  await pass(2);
  const second = await write(ada, "another secret");
  advanceClock(2);
  const release = await holdSequence(id, first.chatId);
  const closing = closeTurn(await dueKey());
  await untilLocked();
  const deleting = callApi(`DELETE /v3/messages/${second.messageId}`, { token: bench.account().token });
  await untilTwoWait();
  await release();
  await Promise.all([closing, deleting]);
  const [, turn] = await turns(first.chatId);
  expect(turn?.messages).toMatchObject([{ message: { id: second.messageId, parts: [] } }]);
});

test("a turn of which a message is being changed is left for later, without waiting", async () => {
  await bench.subscribe();
  const { chatId, messageId } = await write(person(), "hi");
  advanceClock(2);
  const key = await dueKey();
  const release = await holdMessage(messageId);
  expect(await closeTurn(key)).toBe(false);
  await release();
  expect(await closeTurn(key)).toBe(true);
  expect(await turns(chatId)).toHaveLength(1);
});

test("turns that fail, and turns of locked chats, delay no other", async () => {
  await bench.subscribe();
  const chats: string[] = [];
  for (let count = 0; count < 8; count++) chats.push((await write(person(), "hi")).chatId);
  advanceClock(0.1);
  const other = await write(person(), "hi");
  const { emitEvents } = emitting;
  vi.spyOn(emitting, "emitEvents").mockImplementation((tx, events) => {
    if (events.some(({ chatId }) => chats.includes(chatId ?? ""))) throw new Error("broken");
    return emitEvents(tx, events);
  });
  const release = await hold({
    text: "select from chats where account_id = $1 and id = any($2) for update",
    values: [bench.account().ref.id, chats.slice(4)],
  });
  advanceClock(2);
  running.push(startClosingTurns());
  await until(async () => (await turns(other.chatId)).length > 0);
  await release();
  expect(await openTurns(chats[0] ?? "")).toHaveLength(1);
});

test("a worker that dies while it closes a turn leaves it open: the next one closes it once", async () => {
  await bench.subscribe();
  const { chatId, messageId } = await write(person(), "hi");
  advanceClock(2);
  const key = await dueKey();
  const { emitEvents } = emitting;
  const run = vi.spyOn(emitting, "emitEvents").mockImplementation(async (tx, events) => {
    await emitEvents(tx, events);
    throw new Error("killed");
  });
  await expect(closeTurn(key)).rejects.toThrow("killed");
  run.mockRestore();
  expect([await turns(chatId), await openTurns(chatId)]).toEqual([[], [[messageId]]]);
  expect(await closeTurn(key)).toBe(true);
  expect(await turns(chatId)).toHaveLength(1);
});

test("two workers close the turns of 40 people, each once", async () => {
  await bench.subscribe();
  const chats: string[] = [];
  for (let count = 0; count < 40; count++) chats.push((await write(person(), "hi")).chatId);
  running.push(startClosingTurns(), startClosingTurns());
  advanceClock(2);
  await until(async () => (await bench.due()).length === 0);
  for (const chatId of chats) expect(await turns(chatId)).toHaveLength(1);
});

test("turns that were due while no worker ran are closed when one starts", async () => {
  await bench.subscribe();
  const { chatId } = await write(person(), "hi");
  advanceClock(3600);
  running.push(startClosingTurns());
  await until(async () => (await turns(chatId)).length > 0);
  expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
});

/** A message with a file that is still to come, in an open turn. */
async function awaitFile() {
  const file = { type: "media", filename: "a.png", mimeType: "image/png", source: "later" } as const;
  const ada = person();
  const { chatId, messageId } = await write(ada, [
    text("look"),
    { ...file, open: () => Promise.reject(new Error("not yet")) },
  ]);
  const [awaited] = await sql.runText<AwaitedRow>({
    text: "select account_id, attachment_id, message_id from awaited_files where account_id = $1 and message_id = $2",
    values: [bench.account().ref.id, messageId],
  });
  if (awaited === undefined) throw new Error("no file is awaited");
  return { ada, chatId, awaited };
}

test("a file that comes late locks the sender, the chat and the turn in the order of an arriving message", async () => {
  await bench.subscribe();
  const { ada, chatId, awaited } = await awaitFile();
  let ending: Promise<void> | undefined;
  await transaction(async (tx) => {
    const values = [bench.account().ref.id, ada];
    await tx.runText({
      text: "select from contacts where account_id = $1 and handle = $2 for no key update",
      values,
    });
    ending = endAwaited(awaited, null);
    await untilLocked();
    for (const table of [
      "chats where account_id = $1 and id",
      "chat_turns where account_id = $1 and chat_id",
    ])
      await tx.runText({
        text: `select from ${table} = $2 for no key update nowait`,
        values: [bench.account().ref.id, chatId],
      });
  });
  await ending;
  await pass(4);
  expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
});

test("a file that comes while its turn is postponed for it releases the turn", async () => {
  await bench.subscribe();
  const { chatId, awaited } = await awaitFile();
  let ending: Promise<void> | undefined;
  advanceClock(5);
  await transaction(async (tx) => {
    const values = [bench.account().ref.id, chatId];
    await tx.runText({
      text: "update chat_turns set due_at = closes_at where account_id = $1 and chat_id = $2",
      values,
    });
    ending = endAwaited(awaited, null);
    await untilLocked();
  });
  await ending;
  await bench.close();
  expect(await turns(chatId)).toMatchObject([{ reason: "quiet" }]);
});

// Last, because it changes the line's transport.
test("a turn that waits for a file closes when the file came", async () => {
  const bytes = await sampleImage("png");
  registerTransport({
    ...numericTransport,
    name: "filing-turns",
    poll: undefined as never,
    openFile: async () => Readable.from([bytes]),
  });
  await sql.runText({
    text: "update lines set transport = 'filing-turns' where account_id = $1",
    values: [bench.account().ref.id],
  });
  await bench.subscribe();
  const file = { type: "media", filename: "a.png", mimeType: "image/png", source: "later" } as const;
  const { chatId } = await write(person(), [
    text("look"),
    { ...file, open: () => Promise.reject(new Error("not yet")) },
  ]);
  await pass(5);
  expect(await turns(chatId)).toEqual([]);

  running.push(startFileFetches(), startClosingTurns());
  wakeLocally("files");
  await until(async () => (await turns(chatId)).length > 0);
  const [turn] = await turns(chatId);
  expect(turn).toMatchObject({
    reason: "quiet",
    messages: [{ message: { parts: [{}, { size_bytes: bytes.length }] } }],
  });
  expect(turn?.messages[0]?.message.parts[1]).not.toHaveProperty("status");
});
