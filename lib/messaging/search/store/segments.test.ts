import { expect, test } from "vitest";
import { SEGMENT_MESSAGES, Segments } from "@/lib/messaging/search/store/segments";

const AT = new Date("2026-11-28T12:00:00Z");

/** Adds messages at these positions, in this order. Returns the key of each. */
function placeAll(segments: Segments, positions: Iterable<number>): Map<number, string> {
  const keys = new Map<number, string>();
  for (const position of positions)
    keys.set(position, segments.place({ position: BigInt(position), createdAt: AT }));
  return keys;
}

function* range(from: number, to: number): Generator<number> {
  const step = from < to ? 1 : -1;
  for (let n = from; n !== to; n += step) yield n;
}

/** The keys of the segments, lowest position first. */
function keysInOrder(segments: Segments): string[] {
  const sorted = segments.changed.toSorted((left, right) =>
    left.firstPosition < right.firstPosition ? -1 : 1,
  );
  return sorted.map(({ key }) => key);
}

test("new messages open a segment after a full one, and earlier messages one before", () => {
  const segments = new Segments([]);
  const size = SEGMENT_MESSAGES;
  const keys = new Map([
    ...placeAll(segments, range(10 * size, 11 * size + 5)),
    ...placeAll(segments, range(10 * size - 1, 8 * size)),
  ]);
  const order = keysInOrder(segments);
  let last = 0;
  for (const [, key] of [...keys].sort(([left], [right]) => left - right)) {
    const place = order.indexOf(key);
    expect(place).toBeGreaterThanOrEqual(last);
    last = place;
  }
  for (const { messageCount } of segments.changed) expect(messageCount).toBeLessThanOrEqual(size);
});

test("a late message goes to the segment of its position, whichever was added last", () => {
  const segments = new Segments([]);
  const size = SEGMENT_MESSAGES;
  const early = placeAll(segments, range(100, 100 + size));
  placeAll(segments, range(200 + size, 300 + size));
  const [late] = placeAll(segments, [size + 150]).values();
  const [lowest] = placeAll(segments, [3]).values();
  const order = keysInOrder(segments);
  expect(order.indexOf(late ?? "")).toBeGreaterThan(order.indexOf(early.get(150) ?? ""));
  expect(order.indexOf(lowest ?? "")).toBeLessThan(order.indexOf(early.get(150) ?? ""));
});

test("a message that is added again stays in its segment, also after others were opened and stored", () => {
  const segments = new Segments([]);
  const keys = placeAll(segments, range(0, 2 * SEGMENT_MESSAGES + 10));
  const stored = new Segments(segments.changed);
  for (const position of [0, 5, SEGMENT_MESSAGES - 1, SEGMENT_MESSAGES, 2 * SEGMENT_MESSAGES + 9]) {
    expect(stored.place({ position: BigInt(position), createdAt: AT })).toBe(keys.get(position));
  }
});
