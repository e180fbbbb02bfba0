import "server-only";
import { now } from "@/lib/platform/time/clock";

/** A request whose answer was lost may still reach the phone within this time. */
const IN_FLIGHT_MS = 60_000;
/** Polls take over a message that was accepted within this time. */
const ACCEPTED_MS = 5 * 60_000;

/** Of this process, the oldest first. */
interface Attempts {
  /** When the attempts whose end is not known began, by the message's id. */
  begun: Map<string, number>;
  accepted: Map<string, { lineId: string; at: number }>;
}

const shared = globalThis as typeof globalThis & { trunklineAndroidAttempts?: Attempts };
shared.trunklineAndroidAttempts ??= { begun: new Map(), accepted: new Map() };
const attempts = shared.trunklineAndroidAttempts;

/** Notes that requests for a message leave from now on. */
export function beginAttempt(messageId: string): void {
  const at = now().getTime();
  for (const [id, begunAt] of attempts.begun) {
    if (at - begunAt < IN_FLIGHT_MS) break;
    attempts.begun.delete(id);
  }
  attempts.begun.delete(messageId);
  attempts.begun.set(messageId, at);
}

/** Notes that the phone has answered every request for a message. */
export function endAttempt(messageId: string): void {
  attempts.begun.delete(messageId);
}

/** Whether the phone may still get a request of this process for a message. */
export function isInFlight(messageId: string): boolean {
  const at = attempts.begun.get(messageId);
  return at !== undefined && now().getTime() - at < IN_FLIGHT_MS;
}

/** Notes the units that the phone accepted, so that a poll watches those that its lists do not show. */
export function noteAccepted(lineId: string, ids: readonly string[]): void {
  const at = now().getTime();
  for (const [id, { at: acceptedAt }] of attempts.accepted) {
    if (at - acceptedAt < ACCEPTED_MS) break;
    attempts.accepted.delete(id);
  }
  for (const id of ids) attempts.accepted.set(id, { lineId, at });
}

/** The units of a line that the phone accepted from this process in the last minutes. */
export function acceptedLately(lineId: string): { id: string; at: number }[] {
  const since = now().getTime() - ACCEPTED_MS;
  return [...attempts.accepted].flatMap(([id, each]) =>
    each.lineId === lineId && each.at > since ? { id, at: each.at } : [],
  );
}
