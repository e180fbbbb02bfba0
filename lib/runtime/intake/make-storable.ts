import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { storableRef, storableText } from "@/lib/platform/text/storable-text";
import { now } from "@/lib/platform/time/clock";

const MAX_TEXT = 1024 * 1024;
/** More than the bytes of a payload that are kept (set-aside.ts). */
const MAX_PAYLOAD = 4 * 1024 * 1024;
const MAX_NAME = 4096;
const MAX_HANDLE = 254;
const MAX_EMOJI = 64;
/** Vendors' clocks are wrong by days. A time outside of these years is none. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2100;

type Convert = (text: string) => string;

const upTo =
  (most: number): Convert =>
  (text) =>
    storableText(text, most);

/** Strings by their property, in any event. All others are names. */
const STRINGS: ReadonlyMap<string, Convert> = new Map([
  ...["ref", "groupRef", "key"].map((name) => [name, storableRef] as const),
  // The vendor's id of an option of a poll.
  ["option", storableRef],
  ...["from", "handle", "others"].map((name) => [name, upTo(MAX_HANDLE)] as const),
  ...["value", "text", "fallbackText", "url", "source"].map((name) => [name, upTo(MAX_TEXT)] as const),
  // An unreadable payload is kept in whole, or not at all: a part of the payload could never be read.
  ["payload", upTo(MAX_PAYLOAD)],
  ["emoji", upTo(MAX_EMOJI)],
]);
const NAME = upTo(MAX_NAME);

/**
 * Returns an event in which PostgreSQL accepts every string, of whatever type: without U+0000 and lone surrogates, with
 * bounded lengths. Vendors' ids that can't be stored are hashed, so they stay distinct. Times that are none are now.
 */
export function makeStorable<Event extends InEvent>(event: Event): Event {
  return convert(event, "") as Event;
}

function convert(value: unknown, property: string): unknown {
  // Trunkline's own id, as a vendor echoes it.
  if (property === "messageId" && !isOwnId(value)) return undefined;
  if (typeof value === "string") return (STRINGS.get(property) ?? NAME)(value);
  if (value instanceof Date) return convertTime(value);
  // Its message was made storable when it was created.
  if (value instanceof AdapterError) return value;
  if (Array.isArray(value)) return value.map((each) => convert(each, property));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [NAME(name), convert(each, name)] as const),
  );
}

function isOwnId(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

function convertTime(time: Date): Date {
  const year = time.getUTCFullYear();
  return year >= FIRST_YEAR && year < LAST_YEAR ? time : now();
}
