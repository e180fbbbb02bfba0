import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { type LoggedEvent, lastSeq } from "@/lib/events/store/logged-event";
import { serverSentEvent } from "@/lib/events/tail/server-sent-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { newId, newTraceId } from "@/lib/platform/ids";
import { type EventStreamOptions, eventStream } from "@/lib/runtime/streams/event-stream";

const accountId = newId(Date.now());
const elsewhere = newId(Date.now());

let open: AbortController[] = [];

afterEach(() => {
  for (const each of open) each.abort();
  open = [];
});

/** Opens a stream and collects its output. */
function listen(options: Partial<EventStreamOptions> = {}) {
  const end = new AbortController();
  open.push(end);
  const received = { text: "", ended: false };
  const stream = eventStream(
    {
      accountId,
      after: null,
      tell: (event) => serverSentEvent({ id: event.seq, data: { type: event.type } }),
      traceId: newTraceId(),
      signal: end.signal,
      ...options,
    },
    () => {
      received.ended = true;
    },
  );
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) received.text += decoder.decode(chunk, { stream: true });
  })();
  return {
    received,
    end: (why?: Error) => end.abort(why),
    ready: () => expect.poll(() => received.text).toContain("event: ready"),
    types: () => [...received.text.matchAll(/"type":"([^"]+)"/g)].map((match) => match[1]),
    ids: () => [...received.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1])),
  };
}

function eventOf(type: string, account = accountId): NewEvent {
  return testEvent(account, { type });
}

function emit(type: string, account = accountId): Promise<void> {
  return transaction((tx) => emitEvents(tx, [eventOf(type, account)]));
}

test("a reader gets the events of its account as they happen, and no others", async () => {
  const stream = listen();
  await stream.ready();

  await emit("not.mine", elsewhere);
  await emit("mine.first");
  await emit("mine.second");

  await expect.poll(stream.types).toEqual(["mine.first", "mine.second"]);
});

test("a reader that comes back gets what it missed, each once, before what is new", async () => {
  const before = await lastSeq(sql);
  await emit("missed.first");
  await emit("missed.second", elsewhere);
  await emit("missed.third");

  const stream = listen({ after: before });
  await emit("new");

  await expect.poll(stream.types).toEqual(["missed.first", "missed.third", "new"]);
  expect(stream.ids()).toEqual(stream.ids().toSorted((left, right) => left - right));
});

test("a reader whose position the log no longer contains gets a reset, and every other reader does not", async () => {
  await emit("expired");
  await emit("kept.first");
  await emit("kept.second");
  const last = await lastSeq(sql);
  await sql.runText({ text: "delete from events where seq < $1", values: [last - 1] });

  const [old, restored, recent, first] = [last - 3, last + 50, last - 2, 0].map((after) => listen({ after }));
  for (const stream of [old, restored, recent, first]) await stream?.ready();

  const numbers = { first_event: last - 1, last_event: last };
  for (const [stream, after] of [
    [old, last - 3],
    [restored, last + 50],
  ] as const)
    expect(stream?.received.text).toContain(
      `event: reset\ndata: ${JSON.stringify({ after, ...numbers })}\n\n`,
    );
  for (const stream of [recent, first]) expect(stream?.received.text).not.toContain("reset");
  expect(old?.types()).toEqual(["kept.first", "kept.second"]);
});

test("the stream ends when its signal is aborted", async () => {
  const stream = listen();
  await stream.ready();

  stream.end();

  await expect.poll(() => stream.received.ended).toBe(true);
});

test("a reader that starts between busy writers gets every event once", async () => {
  const before = await lastSeq(sql);
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let number = 0; number < 25; number++) await emit(`busy.${writer}.${number}`);
  });
  const readers = [];
  for (let reader = 0; reader < 10; reader++) {
    readers.push(listen({ after: before }));
    await sleep(10);
  }
  await Promise.all(writers);

  for (const reader of readers) {
    await expect.poll(() => reader.types().length).toBe(200);
    expect(new Set(reader.types()).size).toBe(200);
    const ids = reader.ids();
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
  }
});

test("a number that was never given does not keep back what comes", async () => {
  const stream = listen({ after: (await lastSeq(sql)) + 1000 });
  await stream.ready();

  await emit("after.all");

  await expect.poll(stream.types).toEqual(["after.all"]);
});

test("an event that is filtered out still moves the id to resume from, at the next heartbeat", async () => {
  const stream = listen({ tell: () => null, heartbeatMs: 50 });
  await stream.ready();

  await emit("filtered.out");
  const last = await lastSeq(sql);

  await expect.poll(stream.ids).toContain(last);
  expect(stream.types()).toEqual([]);
});

test("a stream that is ended for a reason says which", async () => {
  const stream = listen();
  await stream.ready();

  stream.end(new ApiError("unauthorized"));

  await expect.poll(() => stream.received.text).toContain("event: error");
  expect(stream.received.text).toContain('"code":2004');
  expect(stream.received.ended).toBe(true);
});

test("a stream that is over before it begins ends at once", async () => {
  const stream = listen({ signal: AbortSignal.abort() });

  await expect.poll(() => stream.received.ended).toBe(true);
  expect(stream.received.text).toBe("");
});

test("a reader that falls too far behind gets an error that asks it to resume, and a fast reader does not", async () => {
  const end = new AbortController();
  open.push(end);
  const tell = (event: LoggedEvent) => serverSentEvent({ id: event.seq, data: "x".repeat(1000) });
  const lazy = eventStream(
    { accountId, after: null, tell, traceId: newTraceId(), signal: end.signal },
    () => {},
  );
  const keen = listen();
  await keen.ready();
  for (let batch = 0; batch < 6; batch++) {
    const flood = Array.from({ length: 500 }, () => eventOf("flood"));
    await transaction((tx) => emitEvents(tx, flood));
  }
  await expect.poll(() => keen.types().length).toBe(3000);

  const text = await new Response(lazy).text();

  expect(text).toContain("event: error");
  expect(text).toContain("Last-Event-ID");
  expect(text.length).toBeLessThan(1024 * 1024);
});

test("heartbeats of the dashboard's stream are events, so that a page notices when they stop", async () => {
  const { received, ready } = listen({ heartbeatMs: 20, tellsHeartbeats: true });
  await ready();
  await emit("message.sent");

  await expect.poll(() => received.text).toMatch(/id: \d+\nevent: heartbeat\ndata: \{\}\n\n/);
});
