import "server-only";
import { AHEAD_MS, type ScanPoint } from "@/lib/messaging/dispatch/claim/claim-statement";
import { now } from "@/lib/platform/time/clock";

/** Where the own scans of a line go on, when `waitMs` of the platform clock have passed since `since`. */
export interface LineCursor {
  point: ScanPoint;
  /** How many messages were claimed from the chats after `point`. */
  taken: number;
  since: number;
  waitMs: number;
}

/** The pause of a line that is down. */
const CLOSED_MS = 500;
/** The longest pause of a line that waits for its turn: its throughput may be raised meanwhile. */
const MAX_WAIT_MS = 5_000;

/** A cursor that goes on at once. */
export function cursorAt(point: ScanPoint, taken = 0): LineCursor {
  return { point, taken, since: 0, waitMs: 0 };
}

/** The cursor of a line that can't send now. `turnMs`: the time until its turn; null when it waits for something else. */
export function pausedCursor(cursor: LineCursor, turnMs: number | null): LineCursor {
  const waitMs = turnMs === null ? CLOSED_MS : Math.min(turnMs - AHEAD_MS / 2, MAX_WAIT_MS);
  return { ...cursor, waitMs, since: now().getTime() };
}

/** The milliseconds until a cursor goes on. A clock that was set back ends the wait. */
export function remainingWaitMs({ since, waitMs }: LineCursor): number {
  const passedMs = now().getTime() - since;
  return passedMs < 0 ? 0 : waitMs - passedMs;
}
