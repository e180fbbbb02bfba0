import "server-only";
import { PAUSE_SECONDS } from "@/lib/messaging/loops/counted-exchanges-sql";

/** A message of a chat, as the search for loops needs it. */
export interface LoopMessage {
  id: string;
  isFromMe: boolean;
  /** When it was accepted or received, on the platform clock. */
  at: Date;
  /** When its sender wrote it, as the network reports; null = unknown. */
  writtenAt: Date | null;
  /** Its text (`loopText`); empty for a message with a file or a card. */
  text: string;
}

/** `fast`: faster than a person writes. `same`: the same texts again and again. */
interface FoundLoop {
  type: "fast" | "same";
  /** The sends of the exchanges. The caller checks that none is a person's. */
  sendIds: string[];
}

/** What one side and then the other said: our sends, and the contact's messages after them. */
interface Exchange {
  sendIds: string[];
  sentText: string;
  text: string;
  /** The length of the text as it was written. */
  length: number;
  at: Date;
  writtenAt: Date | null;
  /** Seconds since the contact's messages before. */
  seconds: number;
}

/** No one types, taps suggestions or dictates as fast, message after message. */
const CHARACTERS_PER_SECOND = 25;
const LEAST_SECONDS = 0.15;
/** Prepared texts can be pasted, each in more than this time. */
const PASTE_SECONDS = 4;
/** Networks report whole seconds, and their clocks differ by what a difference of two times leaves out. */
const CLOCK_SECONDS = 2;

/** Short texts are repeated by people, too. */
const SHORT_TEXT = 10;
/** Numbers alone, or in few letters, are what people count, sum up and choose from a menu. */
const LEAST_LETTERS = 10;
const MAX_PERIOD = 3;
/** How many times as many exchanges show a loop of short texts, or of several texts in turn. */
export const WEAK_FACTOR = 3;

/**
 * Finds two programs that answer each other at the end of a chat's messages, which are in the order of the chat. Looks at
 * the last `counted` exchanges, and needs `exchanges` in a row, or three times as many if they repeat short texts or
 * several texts in turn. Returns null for people, however fast (docs/decisions/0039-hold-chats-that-loop.md).
 */
export function findLoop(
  messages: readonly LoopMessage[],
  { exchanges, counted }: { exchanges: number; counted: number },
): FoundLoop | null {
  const all = toExchanges(messages).slice(-counted);
  const last = all.slice(-exchanges);
  if (last.length < exchanges) return null;
  if (last.every(isFast) && areWrittenAsReceived(last)) return toLoop("fast", last);
  if (repeats(last, 1) && !isShort(last)) return toLoop("same", last);
  const more = all.slice(-exchanges * WEAK_FACTOR);
  if (more.length < exchanges * WEAK_FACTOR) return null;
  for (let period = 1; period <= MAX_PERIOD; period++) {
    if (repeats(more, period)) return toLoop("same", more);
  }
  return null;
}

/** Messages of one side that follow each other are one. */
function toExchanges(messages: readonly LoopMessage[]): Exchange[] {
  const turns: LoopMessage[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn?.[0]?.isFromMe === message.isFromMe) turn.push(message);
    else turns.push([message]);
  }
  return turns.flatMap((received, index) => {
    const [before, sent] = [turns[index - 2], turns[index - 1]];
    const [previous, newest] = [before?.at(-1), received.at(-1)];
    if (newest === undefined || newest.isFromMe || sent === undefined || previous === undefined) return [];
    return {
      sendIds: sent.map(({ id }) => id),
      sentText: comparable(textOf(sent)),
      text: comparable(textOf(received)),
      length: textOf(received).length,
      at: newest.at,
      writtenAt: newest.writtenAt,
      seconds: secondsBetween(previous.at, newest.at),
    };
  });
}

/**
 * The text of a message, as loops are found in it. Empty for one with anything else in it: two photos with one caption are
 * not the same message.
 */
export function loopText(parts: readonly { type: string; value?: unknown }[]): string {
  return parts.every(({ type }) => type === "text") ? parts.map(({ value }) => String(value)).join("\n") : "";
}

function textOf(turn: readonly LoopMessage[]): string {
  const texts = turn.map(({ text }) => text);
  return texts.includes("") ? "" : texts.join("\n");
}

/** Texts that differ only in their numbers are the same, if they have words: a counter, a time or a request's number. */
function comparable(text: string): string {
  const rest = text.replaceAll(/\p{N}+/gu, "0");
  return (rest.match(/\p{L}/gu)?.length ?? 0) < LEAST_LETTERS ? text : rest;
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

/** Whether a person could not have written the text in the time since the text before. A stopped clock proves nothing. */
function isFast({ length, seconds }: Exchange): boolean {
  const needed = Math.min(LEAST_SECONDS + length / CHARACTERS_PER_SECOND, PASTE_SECONDS);
  return length > 0 && seconds > 0 && seconds < needed;
}

/**
 * Whether texts were written in about the time in which they arrived, which some networks don't tell. Those of a phone that was offline, or that are
 * forwarded together, were not: they don't answer what was sent between them.
 */
function areWrittenAsReceived(exchanges: readonly Exchange[]): boolean {
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (first.writtenAt === null || last.writtenAt === null) return false;
  const received = secondsBetween(first.at, last.at);
  const written = secondsBetween(first.writtenAt, last.writtenAt);
  return written >= received / 2 && written <= received * 2 + CLOCK_SECONDS;
}

function repeats(exchanges: readonly Exchange[], period: number): boolean {
  return exchanges.every(({ text, sentText, seconds }, index) => {
    const before = exchanges[index - period];
    if (text === "" || sentText === "" || seconds > PAUSE_SECONDS) return false;
    return before === undefined || (before.text === text && before.sentText === sentText);
  });
}

function isShort(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ length }) => length < SHORT_TEXT);
}

function toLoop(type: FoundLoop["type"], exchanges: readonly Exchange[]): FoundLoop {
  return { type, sendIds: exchanges.flatMap(({ sendIds }) => sendIds) };
}
