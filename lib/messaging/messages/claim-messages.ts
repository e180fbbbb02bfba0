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
  since: number;
  waitMs: number;
}

const NO_WAIT = { since: 0, waitMs: 0 };
/** The pause of a scan whose line is down, or has as many messages in progress as it may. */
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
   * Where the scan of a line goes on whose chats outnumber both a scan and the turns of the line. Otherwise
   * each turn would go to one of its first chats, and the last ones would never have one.
   */
  const laps = new Map<string, Lap>();

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

    for (const [lineId, lap] of [...laps]) {
      if (claimed.length >= limit) break;
      const restMs = restOf(lap);
      if (restMs > 0) nextTurnMs = Math.min(nextTurnMs, restMs + AHEAD_MS / 2);
      else continueLap(lineId, lap, await walkFrom(lap.place, lineId));
    }
    let wrapped = place === START;
    while (claimed.length < limit) {
      const walk = await walkFrom(place, null);
      if (walk.endsPaced) laps.set(walk.next.lineId, { place: walk.next, ...NO_WAIT });
      place = walk.next;
      if (place === START && wrapped) break;
      wrapped ||= place === START;
    }
    const perLineHeld = countByLine(held);
    fullLines = new Set([...perLineHeld].flatMap(([lineId, count]) => (count >= perLine ? [lineId] : [])));
    return claimed;
  }

  /** Notes where the next scan of a line begins: further on, at the same place if it could not send, or at its start. */
  function continueLap(lineId: string, { place }: Lap, { first, next, endsPaced }: Walk): void {
    if (first?.lineId === lineId && !first.isOpen) {
      const waitMs = first.turnMs === null ? CLOSED_MS : first.turnMs - AHEAD_MS / 2;
      laps.set(lineId, { place, waitMs, since: now().getTime() });
    } else if (endsPaced && next.lineId === lineId) laps.set(lineId, { place: next, ...NO_WAIT });
    else laps.delete(lineId);
  }

  /** The messages in progress of each line. A line with a scan of its own counts as full in every other scan. */
  function inHandBut(lapOf: string | null): Map<string, number> {
    const counts = countByLine(held);
    for (const lineId of laps.keys()) if (lineId !== lapOf) counts.set(lineId, perLine);
    return counts;
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
