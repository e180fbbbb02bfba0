import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import {
  AHEAD_MS,
  type ClaimedMessage,
  claimFrom,
  FAILED_WALK,
  LEASE_SECONDS,
  type ScanPoint,
  START,
  type Walk,
} from "@/lib/messaging/dispatch/claim/claim-statement";
import { sql } from "@/lib/platform/database/db";
import type { AfterItem } from "@/lib/platform/database/queue";
import { now } from "@/lib/platform/time/clock";

const MIN_LOOK_MS = 50;

/**
 * Claims messages to send, at most `perLine` in progress for each line. The scan resumes at its last position, so every
 * chat gets its turn, however many are waiting.
 */
export interface Claimer {
  claim(limit: number): Promise<ClaimedMessage[]>;
  /**
   * Reports that a claimed message is no longer in progress. Returns whether messages that the last claim left behind can
   * be claimed now: `claim` when half of the line's places are free, and `claim soon` until then.
   */
  release(message: ClaimedMessage): AfterItem;
  /**
   * Milliseconds of the platform clock after the last claim until a line with a throughput may send another message;
   * null when none waits for its turn.
   */
  lookInMs(): number | null;
  /** Renews the leases of all messages in progress, so that only leases of a dead process expire. */
  renew(): Promise<void>;
}

/** A scan over the chats of one line, which goes on at `point` when `waitMs` of the platform clock have passed. */
interface LineCursor {
  point: ScanPoint;
  /** How many messages were claimed from the chats after `point`. */
  taken: number;
  since: number;
  waitMs: number;
}

/** A scan with what it did to each line. Messages that end while it runs don't change these counts. */
interface CountedWalk extends Walk {
  tookOf(lineId: string): number;
  /** Whether a line had no free place for a further message. */
  hasFilled(lineId: string): boolean;
}

const NO_WAIT = { since: 0, waitMs: 0 };
/** The pause of a scan whose line is down. */
const CLOSED_MS = 500;
/** The longest pause of a scan whose line waits for its turn: its throughput may be raised meanwhile. */
const MAX_WAIT_MS = 5_000;

/** The milliseconds until a scan goes on. A clock that was set back ends the wait. */
function remainingWaitMs({ since, waitMs }: LineCursor): number {
  const passedMs = now().getTime() - since;
  return passedMs < 0 ? 0 : waitMs - passedMs;
}

export function createClaimer(perLine: number): Claimer {
  const held = new Set<ClaimedMessage>();
  let point = START;
  /** The lines that had no free place during or after the last claim. Their other messages wait for one. */
  let fullLines = new Set<string>();
  let isIncomplete = false;
  let nextTurnMs = Number.POSITIVE_INFINITY;
  /**
   * Where the scan of a line goes on whose chats outnumber both a scan and the places or turns of the line. Otherwise
   * each place would go to one of its first chats, and the last ones would never have one.
   */
  const cursors = new Map<string, LineCursor>();
  let cursorsAreFirst = false;

  async function claim(limit: number): Promise<ClaimedMessage[]> {
    const claimed: ClaimedMessage[] = [];
    const filled = new Set<string>();
    isIncomplete = false;
    nextTurnMs = Number.POSITIVE_INFINITY;

    async function walkFrom(from: ScanPoint, cursorOf: string | null): Promise<CountedWalk> {
      const before = countByLine(held);
      const walk = await claimFrom(from, limit - claimed.length, {
        perLine,
        inHand: inFlightExcept(cursorOf),
      }).catch((error: unknown) => {
        // Messages already claimed must be returned: their leases are renewed, so no other claim would find them.
        if (claimed.length === 0) throw error;
        isIncomplete = true;
        return FAILED_WALK;
      });
      nextTurnMs = Math.min(nextTurnMs, walk.nextTurnMs);
      for (const message of walk.messages) held.add(message);
      claimed.push(...walk.messages);
      const taken = countByLine(walk.messages);
      const tookOf = (lineId: string) => taken.get(lineId) ?? 0;
      const hasFilled = (lineId: string) => (before.get(lineId) ?? 0) + tookOf(lineId) >= perLine;
      for (const lineId of taken.keys()) if (hasFilled(lineId)) filled.add(lineId);
      return { ...walk, tookOf, hasFilled };
    }

    function hasRoom(lineId: string): boolean {
      return claimed.length < limit && !isFull(lineId);
    }

    /** Scans further chats of a line until it is full, and notes where its next scan begins. Returns whether it ended. */
    async function continueLine(lineId: string, cursor: LineCursor): Promise<boolean> {
      const walk = await walkFrom(cursor.point, lineId);
      if (isIncomplete) return false;
      // The line is the last of those in the next claim.
      cursors.delete(lineId);
      if (walk.first?.lineId === lineId && !walk.first.isOpen) {
        const { turnMs } = walk.first;
        const waitMs = turnMs === null ? CLOSED_MS : Math.min(turnMs - AHEAD_MS / 2, MAX_WAIT_MS);
        cursors.set(lineId, { ...cursor, waitMs, since: now().getTime() });
        return false;
      }
      const further = nextCursor(lineId, cursor, walk);
      if (further === null) return true;
      cursors.set(lineId, further);
      const hadTurns = walk.endsIn?.isPaced === true && walk.tookOf(lineId) > 0;
      return !hadTurns && hasRoom(lineId) ? continueLine(lineId, further) : false;
    }

    /** Goes on with each line that has a scan of its own. Returns whether a line without a message left has places. */
    async function continueLines(): Promise<boolean> {
      let ended = false;
      for (const [lineId, cursor] of [...cursors]) {
        if (isIncomplete || claimed.length >= limit) break;
        if (!hasRoom(lineId)) continue;
        const restMs = remainingWaitMs(cursor);
        if (restMs > 0) nextTurnMs = Math.min(nextTurnMs, restMs + AHEAD_MS / 2);
        else if (await continueLine(lineId, cursor)) ended = true;
      }
      return ended;
    }

    /** Scans all lines without a scan of their own. */
    async function scanOthers(): Promise<void> {
      let wrapped = point === START;
      while (claimed.length < limit && !isIncomplete) {
        const from = point;
        const walk = await walkFrom(from, null);
        const { first, next, endsIn } = walk;
        if (
          first?.lineId === from.lineId &&
          !first.isOpen &&
          walk.hasFilled(from.lineId) &&
          !cursors.has(from.lineId)
        ) {
          cursors.set(from.lineId, { point: from, taken: 0, ...NO_WAIT });
        }
        if (endsIn !== null && (endsIn.isPaced || walk.hasFilled(endsIn.lineId))) {
          const { lineId } = endsIn;
          const start = from.lineId === lineId ? from : { ...next, chatId: START.chatId };
          const cursor = nextCursor(lineId, { point: start, taken: 0, ...NO_WAIT }, walk);
          if (cursor !== null) cursors.set(lineId, cursor);
        }
        point = next;
        if (point === START && wrapped) break;
        wrapped ||= point === START;
      }
    }

    // In turns, so that neither takes all free places.
    cursorsAreFirst = !cursorsAreFirst;
    if (cursorsAreFirst) {
      await continueLines();
      await scanOthers();
    } else {
      await scanOthers();
      // The first chats of a line whose last ones had nothing due come after its scan.
      if (await continueLines()) await scanOthers();
    }
    const counts = countByLine(held);
    for (const [lineId, count] of counts) if (count >= perLine) filled.add(lineId);
    fullLines = filled;
    return claimed;
  }

  /** The messages in progress of each line. A line with a scan of its own counts as full in every other scan. */
  function inFlightExcept(cursorOf: string | null): Map<string, number> {
    const counts = countByLine(held);
    for (const lineId of cursors.keys()) if (lineId !== cursorOf) counts.set(lineId, perLine);
    return counts;
  }

  /**
   * Where the scan of a line goes on; null when it ends. It goes on behind the chats it has visited once the line has
   * sent to as many of them as it may at a time, or nothing more of them is due. Otherwise the chats at which a line
   * fills up would have fewer turns than the others.
   */
  function nextCursor(lineId: string, cursor: LineCursor, walk: CountedWalk): LineCursor | null {
    const taken = cursor.taken + walk.tookOf(lineId);
    const isLast = walk.endsIn?.lineId !== lineId;
    const staysHere = walk.hasFilled(lineId) && taken < perLine && walk.endsIn?.isPaced !== true;
    if (staysHere) return { point: cursor.point, taken, ...NO_WAIT };
    return isLast ? null : { point: walk.next, taken: 0, ...NO_WAIT };
  }

  function isFull(lineId: string): boolean {
    return (countByLine(held).get(lineId) ?? 0) >= perLine;
  }

  function release(message: ClaimedMessage): AfterItem {
    held.delete(message);
    if (isIncomplete) return "claim";
    if (!fullLines.has(message.line_id)) return "wait";
    const left = countByLine(held).get(message.line_id) ?? 0;
    return left * 2 <= perLine ? "claim" : "claim soon";
  }

  return {
    claim,
    release,
    lookInMs: () => (Number.isFinite(nextTurnMs) ? Math.max(nextTurnMs - AHEAD_MS / 2, MIN_LOOK_MS) : null),
    renew: () => renewLeases([...held]),
  };
}

/** The line that sends a claimed message. */
export function lineOf(message: ClaimedMessage): LineRef {
  return {
    accountId: message.account_id,
    id: message.line_id,
    phoneNumber: message.phone_number,
    lineType: message.line_type,
    connectionNumber: message.connection_number,
  };
}

function countByLine(messages: Iterable<ClaimedMessage>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { line_id } of messages) counts.set(line_id, (counts.get(line_id) ?? 0) + 1);
  return counts;
}

async function renewLeases(held: ClaimedMessage[]): Promise<void> {
  if (held.length === 0) return;
  await sql.query({
    name: "renew-leases",
    text: `update messages m set dispatch_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
           from unnest($1::uuid[], $2::uuid[], $3::int[]) as held(account_id, id, attempt)
           where m.account_id = held.account_id and m.id = held.id and m.dispatch_attempts = held.attempt
             and m.dispatch_lease_until is not null`,
    values: [
      held.map(({ account_id }) => account_id),
      held.map(({ id }) => id),
      held.map(({ attempt }) => attempt),
    ],
  });
}
