import fc from "fast-check";
import { expect, test } from "vitest";
import { type TimelineEntry, toEntries } from "@/components/chats/timeline/timeline-entries";
import { describeTurns, toTurnRuns } from "@/components/chats/timeline/turn-runs";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

/** Entries named by letters: capital letters are messages, small ones are notes. */
function entriesOf(names: string): TimelineEntry[] {
  return [...names].map((id) => ({
    id,
    created_at: "",
    message: id === id.toUpperCase() ? ({ id } as MessageView) : null,
    text: "",
    by: null,
    location: null,
  }));
}

let turnIds = 0;

function turn(names: string, more: Partial<ChatTurn> = {}): ChatTurn {
  return {
    id: `turn ${++turnIds}`,
    message_ids: [...names],
    withdrawn: [],
    reason: "quiet",
    started_at: "2026-03-01T12:00:00.000Z",
    last_message_at: "2026-03-01T12:00:03.000Z",
    closed_at: "2026-03-01T12:00:05.080Z",
    ...more,
  };
}

/** Each run as its entries and its lane. */
function drawn(names: string, turns: readonly ChatTurn[]): string[] {
  return toTurnRuns(entriesOf(names), turns)
    .map(({ first, last, lane }) => `${names.slice(first, last + 1)} ${lane}`)
    .sort();
}

test.each([
  ["one turn", "XABCY", [turn("ABC")], ["ABC 0"]],
  ["a single message", "AB", [turn("B")], ["B 0"]],
  ["two turns after each other", "ABC", [turn("AB"), turn("C")], ["AB 0", "C 0"]],
  ["notes within a turn, not around it", "nAmBn", [turn("AB")], ["AmB 0"]],
  ["another person in between", "AXB", [turn("AB"), turn("X")], ["A 0", "B 0", "X 0"]],
  ["messages that are not loaded", "BC", [turn("AB"), turn("Z")], ["B 0"]],
  ["a message that was unsent", "AUB", [turn("AB", { withdrawn: ["U"] })], ["AUB 0"]],
  ["the same messages for two subscriptions", "AB", [turn("AB"), turn("BA")], ["AB 0"]],
  [
    "other messages for another subscription",
    "ABC",
    [turn("ABC"), turn("AB"), turn("C")],
    ["AB 0", "ABC 1", "C 0"],
  ],
  [
    "more than there is room for",
    "ABCD",
    [turn("A"), turn("AB"), turn("ABC"), turn("ABCD")],
    ["A 0", "AB 1", "ABC 2"],
  ],
])("brackets of %s", (_, names, turns, expected) => {
  expect(drawn(names, turns)).toEqual(expected);
});

test("a turn that was read twice has one bracket, for one subscription", () => {
  const one = turn("AB");
  expect(toTurnRuns(entriesOf("AB"), [one, one])).toEqual([{ first: 0, last: 1, lane: 0, turns: [one] }]);
});

test("the turns of a thread are looked at once for all its days", () => {
  let reads = 0;
  const turns = [..."ABCDEF"].map((name) => {
    const one = turn(name);
    return {
      ...one,
      get message_ids() {
        reads++;
        return [name];
      },
    };
  });
  expect(drawn("AB", turns)).toEqual(["A 0", "B 0"]);
  expect(drawn("CD", turns)).toEqual(["C 0", "D 0"]);
  expect(drawn("EF", turns)).toEqual(["E 0", "F 0"]);
  expect(reads).toBe(turns.length);
});

test("property: brackets begin and end at messages of their turns, contain no others, and don't overlap in a lane", () => {
  const names = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", "C", "D", "E", "F"), maxLength: 12 });
  const unique = names.map((text) => [...new Set(text)].join(""));
  fc.assert(
    fc.property(
      unique,
      fc.array(fc.subarray([..."ABCDEFXY"], { minLength: 1 }), { maxLength: 6 }),
      (text, sets) => {
        const turns = sets.map((set) => turn(set.join("")));
        const runs = toTurnRuns(entriesOf(text), turns);
        for (const { first, last, turns: same } of runs) {
          const within = [...text.slice(first, last + 1)];
          const ids = new Set(same[0]?.message_ids);
          expect([within[0], within.at(-1)].every((id) => ids.has(id ?? ""))).toBe(true);
          expect(within.filter((id) => id === id.toUpperCase()).every((id) => ids.has(id))).toBe(true);
        }
        for (const lane of [0, 1, 2]) {
          const rows = runs
            .filter((run) => run.lane === lane)
            .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, row) => first + row));
          expect(new Set(rows).size).toBe(rows.length);
        }
        // Up to three sets have room, so each loaded message of theirs is in a bracket.
        const distinct = new Set(sets.map((set) => set.join("")));
        if (distinct.size > 3) return;
        for (const set of distinct) {
          const covered = runs.filter(({ turns: [one] }) => one?.message_ids.join("") === set);
          for (const id of set) {
            const row = text.indexOf(id);
            if (row !== -1) expect(covered.some(({ first, last }) => first <= row && row <= last)).toBe(true);
          }
        }
      },
    ),
  );
});

test("a bracket says how many messages there are, and why the turn closed", () => {
  expect(describeTurns([turn("ABCDE")])).toBe("One turn · 5 messages · after 2 s of quiet");
  expect(describeTurns([turn("A", { withdrawn: ["B"], reason: "answered" })])).toBe(
    "One turn · 1 message, 1 withdrawn · ended by an answer",
  );
  const long = turn("AB", { reason: "max_wait", closed_at: "2026-03-01T12:00:15.100Z" });
  const full = turn("AB", { reason: "max_size" });
  expect(describeTurns([long, full, turn("AB"), turn("AB")])).toBe(
    "One turn for each of 4 subscriptions · 2 messages · after 15 s, its longest wait or at its maximum size or after 2 s of quiet",
  );
});

test("the rows of a bracket are those of the timeline", () => {
  const messages = ["C", "B", "A"].map((id, at) => ({ id, created_at: `2026-03-01T12:00:0${3 - at}.000Z` }));
  const entries = toEntries(messages as MessageView[], [], false);
  expect(toTurnRuns(entries, [turn("BC")])).toMatchObject([{ first: 1, last: 2 }]);
});
