import "server-only";
import { hash, randomBytes, randomFillSync } from "node:crypto";

const pool = Buffer.alloc(4096);
let used = pool.length;

/** The last time and counter of ids that increase. */
interface LastId {
  ms: number;
  counter: number;
}

const shared = globalThis as typeof globalThis & {
  trunklineLastId?: LastId;
  /** The last id of each kind and subject, for the accounts whose ids are determined by their own id. */
  trunklineSeededIds?: Map<string, Map<string, LastId & { ordinal: number }>>;
};

const MAX_SEEDED_ACCOUNTS = 1000;
const MAX_SEEDED_NAMES = 50_000;

/** The digits of a trace ID that are its time. */
const TIME_DIGITS = 12;
/** The digit of a trace ID with which the ID of its root span begins, and the bit of the mark in it. */
const FIRST_OF_SPAN = 16;
const HAS_ROOT = 8;

/**
 * A UUIDv7 for the given time. Ids of one process always increase, so their order is the order of creation. 48 bits
 * of milliseconds, a 12-bit counter within the millisecond, 62 random bits (RFC 9562, 6.2 method 1).
 *
 * For an account of `determineIds`, the id follows from the time, the account's id, the kind and the subject, and from
 * how many ids of this kind and subject there were. The ids of one kind and subject increase.
 */
export function newId(at: number, accountId?: string, kind = "", subject = ""): string {
  const seeded = accountId === undefined ? undefined : shared.trunklineSeededIds?.get(accountId);
  if (accountId !== undefined && seeded !== undefined) {
    return determinedId(at, seeded, { accountId, name: `${kind} ${subject}` });
  }
  shared.trunklineLastId ??= { ms: 0, counter: 0 };
  const last = shared.trunklineLastId;
  if (at > last.ms) {
    last.ms = at;
    last.counter = randomByte() & 0x7f;
  } else {
    advance(last);
  }
  return toUuid(last, randomHex(8));
}

/**
 * A UUIDv7 for a time to come, for something that begins then. Unlike `newId`, it does not make the ids after it later, so
 * ids of the same time are in no order.
 */
export function idOfLater(at: number, accountId: string, kind: string): string {
  const seeded = shared.trunklineSeededIds?.get(accountId);
  if (seeded !== undefined) return determinedId(at, seeded, { accountId, name: `${kind} ${at}` });
  return toUuid({ ms: at, counter: (randomByte() << 4) | (randomByte() & 0xf) }, randomHex(8));
}

/**
 * Lets this process determine the ids of an account from the account's own id, which a seed determines. Another
 * process, or this one after a restart, chooses random ids for the account, so that no id is used twice.
 */
export function determineIds(accountId: string): void {
  shared.trunklineSeededIds ??= new Map();
  const accounts = shared.trunklineSeededIds;
  accounts.set(accountId, new Map());
  const [oldest] = accounts.keys();
  if (accounts.size > MAX_SEEDED_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
}

function determinedId(
  at: number,
  seeded: Map<string, LastId & { ordinal: number }>,
  { accountId, name }: { accountId: string; name: string },
): string {
  const last = seeded.get(name) ?? { ms: 0, counter: 0, ordinal: 0 };
  if (seeded.size >= MAX_SEEDED_NAMES) shared.trunklineSeededIds?.delete(accountId);
  seeded.set(name, last);
  last.ordinal++;
  if (at > last.ms) {
    last.ms = at;
    last.counter = 0;
  } else {
    advance(last);
  }
  return toUuid(last, hash("sha256", `${accountId} ${name} ${last.ordinal}`).slice(0, 16));
}

function advance(last: LastId): void {
  if (++last.counter <= 0xfff) return;
  last.ms++;
  last.counter = 0;
}

function toUuid(last: LastId, random: string): string {
  const time = last.ms.toString(16).padStart(12, "0");
  const variant = ((Number.parseInt(random.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${last.counter.toString(16).padStart(3, "0")}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

/** The lowest UUIDv7 of a time. Ids that sort before it are older. */
export function firstIdAt(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The time of a UUIDv7, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * A W3C trace id: 32 lower-case hex digits (docs/contract.md, section 1.3). The first 12 are the time, so that ids of
 * the same time are adjacent in an index. The other bits are random, except the first of the last 16 digits: it says
 * whether the trace has a root span, with those 16 digits as its ID (spans.ts). This one has none.
 */
export function newTraceId(): string {
  return toTraceId(0);
}

/** A trace ID whose root span the caller records when it ends. */
export function newRootTraceId(): string {
  return toTraceId(HAS_ROOT);
}

/** Whether the root span of a trace is recorded. */
export function hasRootSpan(traceId: string): boolean {
  return (Number.parseInt(traceId.charAt(FIRST_OF_SPAN), 16) & HAS_ROOT) !== 0;
}

function toTraceId(mark: number): string {
  const random = randomHex(10);
  const first = (Number.parseInt(random.charAt(FIRST_OF_SPAN - TIME_DIGITS), 16) & ~HAS_ROOT) | mark;
  return (
    Date.now().toString(16).padStart(TIME_DIGITS, "0") +
    random.slice(0, FIRST_OF_SPAN - TIME_DIGITS) +
    first.toString(16) +
    random.slice(FIRST_OF_SPAN - TIME_DIGITS + 1)
  );
}

/** Random bytes for secrets, straight from the system's generator. */
export function secretBytes(size: number): Buffer {
  return randomBytes(size);
}

function randomByte(): number {
  refill(1);
  return pool[used++] ?? 0;
}

function randomHex(size: number): string {
  refill(size);
  used += size;
  return pool.toString("hex", used - size, used);
}

function refill(size: number): void {
  if (used + size <= pool.length) return;
  randomFillSync(pool);
  used = 0;
}
