import { expect, test } from "vitest";
import { z } from "zod";
import { type EventLog, type LogAction, openLog, reduceLog } from "@/components/events/event-log";
import type { EventView } from "@/lib/events/store/event-view";
import { decodeCursor } from "@/lib/platform/lists/page";

function event(seq: number): EventView {
  return {
    seq,
    id: "019ca9c2-9c40-7f86-9a55-70b162930415",
    type: "message.sent",
    line_id: null,
    chat_id: null,
    message_id: null,
    trace_id: "t",
    created_at: "2026-03-01T12:00:00.000Z",
    handle: null,
    summary: "",
  };
}

function after(start: Partial<EventLog>, ...actions: LogAction[]): EventLog {
  const log = { ...openLog("search", { events: [], next_cursor: null }), ...start };
  return actions.reduce(reduceLog, log);
}

function seqs(events: EventView[]): number[] {
  return events.map(({ seq }) => seq);
}

test("events are shown newest first and once each, even if they arrive late or twice", () => {
  const hears: LogAction[] = [5, 7, 6, 7].map((seq) => ({ type: "hear", event: event(seq) }));

  expect(seqs(after({}, ...hears).events)).toEqual([7, 6, 5]);
});

test("events that arrive while paused are counted, and resuming shows them", () => {
  const paused = after(
    { events: [event(1)] },
    { type: "pause" },
    { type: "hear", event: event(2) },
    { type: "hear", event: event(3) },
    { type: "hear", event: event(1) },
  );
  expect(seqs(paused.events)).toEqual([1]);
  expect(paused.waiting).toHaveLength(2);

  const resumed = after(paused, { type: "resume" });
  expect(seqs(resumed.events)).toEqual([3, 2, 1]);
  expect(resumed.waiting).toEqual([]);
});

test("an event older than the loaded pages is left to the next page", () => {
  const log = after({ events: [event(9)], cursor: "more" }, { type: "hear", event: event(3) });
  expect(seqs(log.events)).toEqual([9]);

  const older = after(log, {
    type: "append",
    id: "search",
    page: { events: [event(4), event(3)], next_cursor: null },
  });
  expect(seqs(older.events)).toEqual([9, 4, 3]);
  expect(seqs(after(older, { type: "hear", event: event(2) }).events)).toEqual([9, 4, 3, 2]);
});

test("a page of a search that was left is ignored, and the next search starts with its own page", () => {
  const next = openLog("next", { events: [event(2)], next_cursor: "more", searched_back_to: "2026-03-01" });
  const late = { events: [event(4)], next_cursor: null };
  const log = after(
    { events: [event(9)], paused: true, waiting: [event(10)] },
    { type: "open", log: next },
    { type: "append", id: "search", page: late },
  );

  expect(log).toEqual(next);
  expect([log.cursor, log.searchedBackTo, log.paused, log.waiting]).toEqual([
    "more",
    "2026-03-01",
    false,
    [],
  ]);
});

test("a long log is truncated, and its cursor continues where it was truncated", () => {
  const hears: LogAction[] = Array.from({ length: 1005 }, (_, index) => ({
    type: "hear",
    event: event(index + 1),
  }));
  const log = after({}, ...hears);

  expect(log.events).toHaveLength(1000);
  const oldest = log.events.at(-1)?.seq;
  expect(decodeCursor(log.cursor ?? "", z.tuple([z.string(), z.iso.datetime()]))[0]).toBe(String(oldest));
});
