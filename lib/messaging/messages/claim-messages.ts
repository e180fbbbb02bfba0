import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import {
  AHEAD_MS,
  type ClaimedMessage,
  claimFrom,
  FAILED_WALK,
  LEASE_SECONDS,
  type Place,
  START,
  type Walk,
} from "@/lib/messaging/messages/claim-statement";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import type { AfterItem } from "@/lib/platform/queue";

const MIN_LOOK_MS = 50;

/**
 * Claims messages to send, at most `perLine` in progress for each line. The scan resumes at its last position, so every
 * chat gets its turn, however many are waiting.
 */
export interface Claimer {
  claim(limit: number): Promise<ClaimedMessage[]>;
  /**
   * Reports that a claimed message is no longer in progress. Returns whether messages that the last claim left behind can
   * be claimed now: `look` when half of the line's places are free, and `look soon` until then.
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

/** A scan over the chats of one line, which goes on at `place` when `waitMs` of the platform clock have passed. */
interface Lap {
  place: Place;
  /** How many messages were claimed from the chats after `place`. */
  taken: number;
  since: number;
  waitMs: number;
}

const NO_WAIT = { since: 0, waitMs: 0 };
/** The pause of a scan whose line is down. */
const CLOSED_MS = 500;

/** The milliseconds until a scan goes on. A clock that was set back ends the wait. */
function restOf({ since, waitMs }: Lap): number {
  const passedMs = now().getTime() - since;
  return passedMs < 0 ? 0 : waitMs - passedMs;
}

export function createClaimer(perLine: number): Claimer {
  const held = new Set<ClaimedMessage>();
  let place = START;
  /** The lines that had no free place at the end of the last claim. Their other messages wait for one. */
  let fullLines = new Set<string>();
  let isIncomplete = false;
  let nextTurnMs = Number.POSITIVE_INFINITY;
  /**
   * Where the scan of a line goes on whose chats outnumber both a scan and the places or turns of the line. Otherwise
   * each place would go to one of its first chats, and the last ones would never have one.
   */
  const laps = new Map<string, Lap>();
  let lapsAreFirst = false;

  async function claim(limit: number): Promise<ClaimedMessage[]> {
    const claimed: ClaimedMessage[] = [];
    isIncomplete = false;
    nextTurnMs = Number.POSITIVE_INFINITY;

    async function walkFrom(from: Place, lapOf: string | null): Promise<Walk> {
      const walk = await claimFrom(from, limit - claimed.length, { perLine, inHand: inHandBut(lapOf) }).catch(
        (error: unknown) => {
          // Messages already claimed must be returned: their leases are renewed, so no other claim would find them.
          if (claimed.length === 0) throw error;
          isIncomplete = true;
          return FAILED_WALK;
        },
      );
      nextTurnMs = Math.min(nextTurnMs, walk.nextTurnMs);
      for (const message of walk.messages) held.add(message);
      claimed.push(...walk.messages);
      return walk;
    }

    /** Scans further chats of a line until it is full, and notes where its next scan begins. */
    async function continueLap(lineId: string, lap: Lap): Promise<void> {
      const before = countOf(lineId);
      const { first, next, endsIn } = await walkFrom(lap.place, lineId);
      // The line is the last of those in the next claim.
      laps.delete(lineId);
      if (first?.lineId === lineId && !first.isOpen) {
        const waitMs = first.turnMs === null ? CLOSED_MS : first.turnMs - AHEAD_MS / 2;
        laps.set(lineId, { ...lap, waitMs, since: now().getTime() });
      } else if (endsIn?.lineId === lineId) {
        const further = nextLap(lap, endsIn, { next, taken: countOf(lineId) - before });
        laps.set(lineId, further);
        if (!endsIn.isPaced && !isFull(lineId) && claimed.length < limit) await continueLap(lineId, further);
      }
    }

    async function continueLaps(): Promise<void> {
      for (const [lineId, lap] of [...laps]) {
        if (claimed.length >= limit) break;
        if (isFull(lineId)) continue;
        const restMs = restOf(lap);
        if (restMs > 0) nextTurnMs = Math.min(nextTurnMs, restMs + AHEAD_MS / 2);
        else await continueLap(lineId, lap);
      }
    }

    /** Scans all lines without a scan of their own. */
    async function scanOthers(): Promise<void> {
      let wrapped = place === START;
      while (claimed.length < limit) {
        const from = place;
        const before = countByLine(held);
        const { first, next, endsIn } = await walkFrom(from, null);
        if (first?.lineId === from.lineId && !first.isOpen && isFull(from.lineId) && !laps.has(from.lineId)) {
          laps.set(from.lineId, { place: from, taken: 0, ...NO_WAIT });
        }
        if (endsIn !== null && (endsIn.isPaced || isFull(endsIn.lineId))) {
          const { lineId } = endsIn;
          const start = from.lineId === lineId ? from : { ...next, chatId: START.chatId };
          const taken = countOf(lineId) - (before.get(lineId) ?? 0);
          laps.set(lineId, nextLap({ place: start, taken: 0, ...NO_WAIT }, endsIn, { next, taken }));
        }
        place = next;
        if (place === START && wrapped) break;
        wrapped ||= place === START;
      }
    }

    // In turns, so that neither takes all free places.
    lapsAreFirst = !lapsAreFirst;
    if (lapsAreFirst) await continueLaps();
    await scanOthers();
    if (!lapsAreFirst) await continueLaps();
    const perLineHeld = countByLine(held);
    fullLines = new Set([...perLineHeld].flatMap(([lineId, count]) => (count >= perLine ? [lineId] : [])));
    return claimed;
  }

  /** The messages in progress of each line. A line with a scan of its own counts as full in every other scan. */
  function inHandBut(lapOf: string | null): Map<string, number> {
    const counts = countByLine(held);
    for (const lineId of laps.keys()) if (lineId !== lapOf) counts.set(lineId, perLine);
    return counts;
  }

  /**
   * A scan goes on behind the chats it has visited once the line has sent to as many of them as it may at a time, or
   * nothing more of them is due. Otherwise the chats at which a line fills up would have fewer turns than the others.
   */
  function nextLap(
    lap: Lap,
    line: { lineId: string; isPaced: boolean },
    walk: { next: Place; taken: number },
  ): Lap {
    const taken = lap.taken + walk.taken;
    const goesOn = line.isPaced || !isFull(line.lineId) || taken >= perLine;
    return goesOn ? { place: walk.next, taken: 0, ...NO_WAIT } : { place: lap.place, taken, ...NO_WAIT };
  }

  function countOf(lineId: string): number {
    return countByLine(held).get(lineId) ?? 0;
  }

  function isFull(lineId: string): boolean {
    return countOf(lineId) >= perLine;
  }

  function release(message: ClaimedMessage): AfterItem {
    held.delete(message);
    if (isIncomplete) return "look";
    if (!fullLines.has(message.line_id)) return "wait";
    const left = countByLine(held).get(message.line_id) ?? 0;
    return left * 2 <= perLine ? "look" : "look soon";
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
