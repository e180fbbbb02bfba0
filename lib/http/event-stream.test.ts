import "@/lib/testing/use-test-database";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { emitEvents } from "@/lib/events/emit-event";
import { lastSeq } from "@/lib/events/logged-event";
import { type EventStreamOptions, eventStream } from "@/lib/http/event-stream";
import { openStream } from "@/lib/http/stream-writer";
import { sql, transaction } from "@/lib/platform/db";
import { newId, newTraceId } from "@/lib/platform/ids";

const accountId = newId(Date.now());
const elsewhere = newId(Date.now());
const chatId = newId(Date.now());

let open: AbortController[] = [];

afterEach(() => {
  for (const each of open) each.abort();
  open = [];
});

/** Opens a stream and collects what it says. */
function listen(options: Partial<EventStreamOptions> = {}) {
  const end = new AbortController();
  open.push(end);
  const filter = { types: [], ...options.filter };
  const stream = eventStream({
    accountId,
    after: null,
    signal: end.signal,
    mayGoOn: async () => true,
    ...options,
    filter,
  });
  const heard = { text: "", ended: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) heard.text += decoder.decode(chunk, { stream: true });
    heard.ended = true;
  })();
  return {
    heard,
    end: () => end.abort(),
    ready: () => expect.poll(() => heard.text).toContain("event: ready"),
    types: () => [...heard.text.matchAll(/"type":"([^"]+)"/g)].map((match) => match[1]),
    ids: () => [...heard.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1])),
  };
}

interface Emitted {
  account?: string;
  internal?: boolean;
  chat?: string;
}

function emit(type: string, { account = accountId, internal = false, chat }: Emitted = {}): Promise<void> {
  const event = {
    accountId: account,
    type,
    internal,
    lineId: null,
    chatId: chat ?? null,
    messageId: null,
    traceId: newTraceId(),
    data: {},
    at: new Date(),
  };
  return transaction((tx) => emitEvents(tx, [event]));
}

test("a reader gets the events of its account as they happen, and no others", async () => {
  const stream = listen();
  await stream.ready();

  await emit("not.mine", { account: elsewhere });
  await emit("mine.first");
  await emit("mine.second");

  await expect.poll(stream.types).toEqual(["mine.first", "mine.second"]);
});

test("a reader that comes back gets what it missed, each once, before what is new", async () => {
  const before = await lastSeq(sql);
  await emit("missed.first");
  await emit("missed.second", { account: elsewhere });
  await emit("missed.third");

  const stream = listen({ after: before });
  await emit("new");

  await expect.poll(stream.types).toEqual(["missed.first", "missed.third", "new"]);
  expect(stream.ids()).toEqual(stream.ids().toSorted((left, right) => left - right));
});

test("a filter keeps to its types or chat, and internal events only come when they are asked for", async () => {
  const byType = listen({ filter: { types: ["wanted", "internal"] } });
  const byChat = listen({ filter: { types: [], chat_id: chatId, internal: "1" } });
  await Promise.all([byType.ready(), byChat.ready()]);

  await emit("internal", { internal: true, chat: chatId });
  await emit("unwanted", { chat: newId(Date.now()) });
  await emit("wanted");

  await expect.poll(byType.types).toEqual(["wanted"]);
  await expect.poll(byChat.types).toEqual(["internal"]);
});

test("the stream ends when it is told to", async () => {
  const stream = listen();
  await stream.ready();

  stream.end();

  await expect.poll(() => stream.heard.ended).toBe(true);
});

test("a reader that does not read is cut off at 256 KB, and nothing is kept for it after that", async () => {
  const { stream, writer } = openStream();
  for (let kilobytes = 0; kilobytes < 300; kilobytes++) writer.write("x".repeat(1024));

  expect(writer.closed.aborted).toBe(true);
  const unread = (await new Response(stream).arrayBuffer()).byteLength;
  expect(unread).toBe(256 * 1024);
});

test("a writer that waits for room is let go on once the reader reads", async () => {
  const { stream, writer } = openStream();
  for (let kilobytes = 0; kilobytes < 256; kilobytes++) writer.write("x".repeat(1024));
  let resumed = false;
  void writer.room().then(() => {
    resumed = true;
  });

  await sleep(20);
  expect(resumed).toBe(false);
  await stream.getReader().read();

  await expect.poll(() => resumed).toBe(true);
});
