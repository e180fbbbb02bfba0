import "server-only";
import { randomBytes, randomFillSync } from "node:crypto";

const pool = Buffer.alloc(4096);
let used = pool.length;

const shared = globalThis as typeof globalThis & { trunklineLastId?: { ms: number; counter: number } };

/**
 * A UUIDv7 for the given time. Ids of one process always increase, so their order is the order of creation. 48 bits
 * of milliseconds, a 12-bit counter within the millisecond, 62 random bits (RFC 9562, 6.2 method 1).
 */
export function newId(at: number): string {
  shared.trunklineLastId ??= { ms: 0, counter: 0 };
  const last = shared.trunklineLastId;
  if (at > last.ms) {
    last.ms = at;
    last.counter = randomByte() & 0x7f;
  } else if (++last.counter > 0xfff) {
    last.ms++;
    last.counter = 0;
  }
  const time = last.ms.toString(16).padStart(12, "0");
  const random = randomHex(8);
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
 * A W3C trace id: 32 lower-case hex digits (contract.md 4.1). The first 12 are the time, so that ids of the same time
 * are adjacent in an index. The other 80 bits are random.
 */
export function newTraceId(): string {
  return Date.now().toString(16).padStart(12, "0") + randomHex(10);
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
