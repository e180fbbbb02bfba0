import { expect, test } from "vitest";
import { freeBytes, requiredBytes } from "./estimate-disk.mjs";
import { emptyCounts, rowCounts, smallCounts } from "./row-counts.mjs";

test("the disk of a fill grows with its rows and always includes PostgreSQL's own files", () => {
  const bytesPerRow = { messages: 1000, events: 500 };
  const nothing = requiredBytes(bytesPerRow, { messages: 0, events: 0 });
  expect(nothing).toBeGreaterThan(1e9);
  expect(requiredBytes(bytesPerRow, { messages: 1e6, events: 1e6 }) - nothing).toBeGreaterThanOrEqual(1.5e9);
});

test("the free disk of a folder is a positive number of bytes", () => {
  expect(freeBytes(import.meta.dirname)).toBeGreaterThan(0);
});

test("the small account has at most 10,000 rows of a table, and no more than the large one", () => {
  const counts = rowCounts(10_000_000);
  expect(counts).toMatchObject({ messages: 10_000_000, events: 10_000_000, chats: 100_000 });
  expect(smallCounts(counts)).toMatchObject({ messages: 10_000, events: 10_000, chats: 10_000 });
  expect(smallCounts(rowCounts(20_000))).toMatchObject({ messages: 10_000, chats: 200 });
});

test("the empty account has as many chats to send to, and nothing else", () => {
  const { chats, participants, line_contacts, simulator_phones, ...others } = emptyCounts(
    rowCounts(1_000_000),
  );
  expect({ chats, participants, line_contacts, simulator_phones }).toEqual({
    chats: 10_000,
    participants: 10_000,
    line_contacts: 10_000,
    simulator_phones: 1000,
  });
  expect(new Set(Object.values(others))).toEqual(new Set([0]));
});
