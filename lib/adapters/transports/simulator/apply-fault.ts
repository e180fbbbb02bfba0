import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { findFault, hasFaults } from "@/lib/platform/sandbox/find-fault";
import type { FaultEffect } from "@/lib/platform/sandbox/injected-fault";

const HELD_BACK_MS = 1000;
const STALLED_MS = 60_000;
const RETRY_AFTER_MS = 1000;
const UNKNOWN_OUTCOME = 4006;
/** The receipt of an unconfirmed message follows the failure of the message. */
const LATE_RECEIPT_MS = 1000;

// The codes with which a message fails because the network rejects it, or with 4006 does not answer.
const ERROR_KINDS = {
  3007: "rate_limited",
  4001: "not_reachable",
  4002: "line_down",
  4005: "unsupported",
  4006: "unknown_outcome",
  4007: "rejected",
  4008: "not_eligible",
} as const satisfies Record<number, AdapterErrorKind>;

/** The error codes that an injected fault of the simulated network can have. */
export const TRANSPORT_FAULT_CODES = Object.keys(ERROR_KINDS).map(Number) as (keyof typeof ERROR_KINDS)[];

/** Changes that an injected fault makes to a message that the network accepts. */
export interface Disturbance {
  /** Milliseconds that the message takes longer; null = the message never arrives. */
  delayMs: number | null;
  isDuplicated: boolean;
  /** The network accepts the message but never says so: the message fails with 4006 until a receipt arrives. */
  isUnconfirmed: boolean;
}

/** Returns what an injected fault changes about a message, or null. Throws AdapterError for a message it rejects. */
export async function disturbanceOf(message: Outbound, signal: AbortSignal): Promise<Disturbance | null> {
  const { accountId, phoneNumber } = message.line;
  if (!hasFaults(accountId)) return null;
  const effect = await findFault(accountId, ({ line, handle, direction }) => {
    if (direction === "inbound" || (line === undefined && handle === undefined)) return false;
    return (line ?? phoneNumber) === phoneNumber && (handle === undefined || message.to.includes(handle));
  });
  return effect === null ? null : disturb(effect, signal);
}

/** Returns what an injected fault changes about a message from a phone to a line, or null. */
export async function inboundDisturbanceOf(
  { accountId, phoneNumber }: LineRef,
  from: string,
): Promise<Disturbance | null> {
  if (!hasFaults(accountId)) return null;
  const effect = await findFault(
    accountId,
    ({ line = phoneNumber, handle = from, direction }) =>
      direction === "inbound" && line === phoneNumber && handle === from,
  );
  return effect === null ? null : toDisturbance(effect);
}

async function disturb(effect: FaultEffect, signal: AbortSignal): Promise<Disturbance> {
  const { type, code, delay_ms } = effect;
  if (type === "error" && code === UNKNOWN_OUTCOME) {
    return { delayMs: LATE_RECEIPT_MS, isDuplicated: false, isUnconfirmed: true };
  }
  if (type === "error") throw rejection(code);
  if (type === "stall") {
    await sleep(delay_ms ?? STALLED_MS, undefined, { signal }).catch(() => undefined);
    throw new AdapterError("unknown_outcome", "an injected fault: the network did not respond");
  }
  return toDisturbance(effect);
}

function toDisturbance({ type, delay_ms }: FaultEffect): Disturbance {
  const unchanged = { delayMs: 0, isDuplicated: false, isUnconfirmed: false };
  if (type === "drop") return { ...unchanged, delayMs: null };
  if (type === "duplicate") return { ...unchanged, isDuplicated: true };
  return { ...unchanged, delayMs: delay_ms ?? HELD_BACK_MS };
}

function rejection(code: number | undefined): AdapterError {
  const kind = ERROR_KINDS[code as keyof typeof ERROR_KINDS];
  const retryAfterMs = kind === "rate_limited" ? RETRY_AFTER_MS : undefined;
  return new AdapterError(kind, `an injected fault with code ${code}`, retryAfterMs);
}

const DUPLICATE_ON_PHONES = plannedStatement(
  "duplicate-on-phones",
  `insert into simulator_messages
    (account_id, line_id, handle, ref, sender, group_ref, service, parts, effect, created_at, delivered_at)
  select account_id, line_id, handle, ref || '#2', sender, group_ref, service, parts, effect, created_at,
    coalesce(delivered_at, created_at)
  from simulator_messages where account_id = :accountId and line_id = :lineId and ref = :messageId
  on conflict do nothing`,
);

/** Stores a second copy of a message on the phones that have it, without receipts. */
export async function duplicateOnPhones(message: Outbound): Promise<void> {
  await sql.run(DUPLICATE_ON_PHONES, {
    accountId: message.line.accountId,
    lineId: message.line.id,
    messageId: message.id,
  });
  sql.wake("phones");
}
