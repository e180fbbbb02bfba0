import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDue } from "@/lib/messaging/loops/check-for-loop";
import { PAUSE_SECONDS } from "@/lib/messaging/loops/counted-exchanges-sql";
import { findLoop, type LoopMessage, loopText } from "@/lib/messaging/loops/find-loop";
import { Conversation, diceOf } from "@/lib/testing/conversations/conversation";
import { PEOPLE } from "@/lib/testing/conversations/people";
import { PROGRAMS, slowWriters } from "@/lib/testing/conversations/programs";

const EXCHANGES = 20;
/** docs/decisions/0039-hold-chats-that-loop.md has the figures of 10,000 conversations. */
const CONVERSATIONS = process.env.LONG_TESTS === "1" ? 10_000 : 1500;

/** Plays a conversation as the database counts it. Returns the exchanges in a row at the hold; null = none. */
function exchangesAtHold(messages: readonly LoopMessage[], exchanges = EXCHANGES): number | null {
  let counted = 0;
  let isSent = false;
  for (const [index, message] of messages.entries()) {
    if (message.isFromMe) {
      isSent = true;
      continue;
    }
    const before = messages[index - 1];
    const pause = before === undefined ? 0 : message.at.getTime() - before.at.getTime();
    if (pause > PAUSE_SECONDS * 1000) counted = 0;
    else if (isSent) counted += 1;
    isSent = false;
    const seen = messages.slice(Math.max(0, index + 1 - (exchanges * 3 + 1) * 4), index + 1);
    if (isDue(counted, exchanges) && findLoop(seen, { exchanges, counted }) !== null) return counted;
  }
  return null;
}

describe("people", () => {
  const kinds = Object.keys(PEOPLE) as [keyof typeof PEOPLE, ...(keyof typeof PEOPLE)[]];

  test("no generated conversation of a person is a loop", () => {
    const conversation = fc.record({ kind: fc.constantFrom(...kinds), seed: fc.integer() });
    fc.assert(
      fc.property(conversation, ({ kind, seed }) => {
        expect(exchangesAtHold(PEOPLE[kind](diceOf(seed)).messages())).toBeNull();
      }),
      { numRuns: CONVERSATIONS },
    );
  });
});

test("the text of a message with a file or a card is empty", () => {
  const text = { type: "text", value: "Receipt" };
  expect(loopText([text, { type: "text", value: "for lunch" }])).toBe("Receipt\nfor lunch");
  for (const type of ["media", "link", "poll"]) expect(loopText([{ type }, text])).toBe("");
});

describe("programs", () => {
  const LONGEST = {
    instant: 20,
    autoresponder: 20,
    numbered: 20,
    numberedSlowly: 20,
    echo: 20,
    inTurn: 60,
    short: 60,
  } as const;
  const kinds = Object.keys(PROGRAMS) as [keyof typeof PROGRAMS, ...(keyof typeof PROGRAMS)[]];

  test.each(kinds)("%s: the loop is found", (kind) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(exchangesAtHold(PROGRAMS[kind](diceOf(seed)).messages())).toBe(LONGEST[kind]);
      }),
      { numRuns: 30 },
    );
  });

  test("a loop that begins after a person's chat is found within five more exchanges", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, before) => {
        const dice = diceOf(seed);
        const chat = new Conversation();
        for (let round = 0; round < before; round++) {
          chat.receive(round * 30, dice.text(20));
          chat.send(round * 30 + 1, dice.text(20));
        }
        const loop = PROGRAMS.instant(dice).messages();
        for (const { isFromMe, at, text } of loop) {
          const seconds = before * 30 + (at.getTime() - Date.UTC(2030, 0, 1)) / 1000;
          if (isFromMe) chat.send(seconds, text);
          else chat.receive(seconds, text);
        }
        // The first message of the loop comes too late after the person's last to be fast.
        const held = exchangesAtHold(chat.messages()) ?? Number.POSITIVE_INFINITY;
        expect(held - before).toBeLessThanOrEqual(EXCHANGES + 5);
      }),
      { numRuns: 60 },
    );
  });

  test("slow programs with long, other texts look like people who paste", () => {
    expect(exchangesAtHold(slowWriters(diceOf(1)).messages())).toBeNull();
  });
});

describe("an exchange", () => {
  const loop = (change: (message: LoopMessage) => LoopMessage) =>
    PROGRAMS.instant(diceOf(7)).messages().slice(0, 100).map(change);

  test("of files alone is no part of a loop", () => {
    expect(exchangesAtHold(loop((message) => ({ ...message, text: "" })))).toBeNull();
  });

  test("on a stopped clock is no part of a fast loop", () => {
    const at = new Date("2030-01-01T00:00:00Z");
    expect(exchangesAtHold(loop((message) => ({ ...message, at, writtenAt: at })))).toBeNull();
  });

  test("with texts that were all written before is no part of a fast loop", () => {
    const writtenAt = new Date("2029-12-31T23:59:00Z");
    expect(exchangesAtHold(loop((message) => ({ ...message, writtenAt })))).toBeNull();
    const start = Date.UTC(2030, 0, 1);
    const overHours = ({ at }: LoopMessage) => new Date(start + (at.getTime() - start) * 100);
    expect(exchangesAtHold(loop((message) => ({ ...message, writtenAt: overHours(message) })))).toBeNull();
  });

  test("over a network with another clock, which reports whole seconds, is a part of a loop", () => {
    const floor = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000 - 3_600_000);
    expect(exchangesAtHold(loop((message) => ({ ...message, writtenAt: floor(message.at) })))).toBe(20);
  });

  test("over a network that does not say when texts were written is no part of a fast loop, but of the same texts", () => {
    expect(exchangesAtHold(loop((message) => ({ ...message, writtenAt: null })))).toBeNull();
    const away = PROGRAMS.autoresponder(diceOf(1)).messages();
    expect(exchangesAtHold(away.map((message) => ({ ...message, writtenAt: null })))).toBe(20);
  });

  test("needs both sides: texts without our answers are no loop", () => {
    expect(exchangesAtHold(loop((message) => ({ ...message, isFromMe: false })))).toBeNull();
  });

  test("a lower setting finds a loop earlier, a higher one later", () => {
    const messages = PROGRAMS.instant(diceOf(3)).messages();
    expect(exchangesAtHold(messages, 15)).toBe(15);
    expect(exchangesAtHold(messages, 50)).toBe(50);
  });
});
