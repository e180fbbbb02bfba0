import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import {
  AHEAD_MS,
  type ClaimedMessage,
  claimFrom,
  FAILED_SCAN,
  type Scan,
  type ScanPoint,
  START,
} from "@/lib/messaging/dispatch/claim/claim-statement";
import {
  cursorAt,
  type LineCursor,
  pausedCursor,
  remainingWaitMs,
} from "@/lib/messaging/dispatch/claim/line-cursor";
import { renewLeases } from "@/lib/messaging/dispatch/claim/renew-leases";
import type { AfterItem } from "@/lib/platform/database/queue";

const MIN_LOOK_MS = 50;

type CountByLine = ReadonlyMap<string, number>;

/** A scan with its effect on each line. Messages that end while it runs don't change these counts. */
interface CountedScan extends Scan {
  /** The messages that the scan claimed. */
  taken: CountByLine;
  /** The places that were taken before the scan, and by it. */
  places: CountByLine;
}

/** What one claim has done so far. */
interface ClaimPass {
  limit: number;
  claimed: ClaimedMessage[];
  /** The lines that had no free place after one of its scans. */
  filled: Set<string>;
  /** A later scan failed. */
  isIncomplete: boolean;
  nextTurnMs: number;
}

/**
 * Claims messages to send, at most `perLine` in progress for each line, and owns their leases. Every chat gets its turn,
 * however many are waiting: scans resume where the last one ended, and a line whose chats outnumber a scan has a cursor of
 * its own (docs/architecture.md, The claim).
 */
export class Claimer {
  readonly #perLine: number;
  readonly #inFlight = new Set<ClaimedMessage>();
  /** Where the scan over all lines goes on. */
  #point = START;
  /**
   * The lines whose chats outnumber both a scan and the places or turns of the line. Without a cursor, each place would go
   * to one of the line's first chats, and the last ones would never have one.
   */
  readonly #cursors = new Map<string, LineCursor>();
  #cursorsAreFirst = false;
  #pass = newPass(0);
  /** The lines that had no free place during or after the last claim. Their other messages wait for one. */
  #fullLines: ReadonlySet<string> = new Set();

  constructor(perLine: number) {
    this.#perLine = perLine;
  }

  async claim(limit: number): Promise<ClaimedMessage[]> {
    const pass = newPass(limit);
    this.#pass = pass;
    // In turns, so that neither takes all free places.
    this.#cursorsAreFirst = !this.#cursorsAreFirst;
    if (this.#cursorsAreFirst) {
      await this.#followCursors(pass);
      await this.#scanLines(pass);
    } else {
      await this.#scanLines(pass);
      // The line's last chats have nothing due, so its first ones come next.
      if (await this.#followCursors(pass)) await this.#scanLines(pass);
    }
    for (const [lineId, count] of countByLine(this.#inFlight)) {
      if (count >= this.#perLine) pass.filled.add(lineId);
    }
    this.#fullLines = pass.filled;
    return pass.claimed;
  }

  /**
   * Reports that a claimed message is no longer in progress. Returns whether messages that the last claim left behind can
   * be claimed now: `claim` when half of the line's places are free, and `claim soon` until then.
   */
  release(message: ClaimedMessage): AfterItem {
    this.#inFlight.delete(message);
    if (this.#pass.isIncomplete) return "claim";
    if (!this.#fullLines.has(message.line_id)) return "wait";
    return this.#countOf(message.line_id) * 2 <= this.#perLine ? "claim" : "claim soon";
  }

  /**
   * Milliseconds of the platform clock after the last claim until a line with a throughput may send another message;
   * null when none waits for its turn.
   */
  lookInMs(): number | null {
    const { nextTurnMs } = this.#pass;
    return Number.isFinite(nextTurnMs) ? Math.max(nextTurnMs - AHEAD_MS / 2, MIN_LOOK_MS) : null;
  }

  /** Renews the leases of all messages in progress, so that only leases of a dead process expire. */
  renew(): Promise<void> {
    return renewLeases([...this.#inFlight]);
  }

  /** Scans all lines without a cursor, from where the last scan ended and at most once around. */
  async #scanLines(pass: ClaimPass): Promise<void> {
    let isAround = this.#point === START;
    while (pass.claimed.length < pass.limit && !pass.isIncomplete) {
      const from = this.#point;
      const scan = await this.#scan(pass, from, null);
      this.#createCursors(from, scan);
      this.#point = scan.next;
      if (this.#point === START && isAround) return;
      isAround ||= this.#point === START;
    }
  }

  /** Gives a cursor to the lines with more chats than the scan could visit: its first line and its last one. */
  #createCursors(from: ScanPoint, scan: CountedScan): void {
    const { first, endsIn } = scan;
    const isFirstFull = first?.lineId === from.lineId && !first.isOpen && this.#hasFilled(scan, from.lineId);
    if (isFirstFull && !this.#cursors.has(from.lineId)) this.#cursors.set(from.lineId, cursorAt(from));
    if (endsIn !== null && (endsIn.isPaced || this.#hasFilled(scan, endsIn.lineId))) {
      const { lineId } = endsIn;
      const start = from.lineId === lineId ? from : { ...scan.next, chatId: START.chatId };
      this.#moveCursor(lineId, cursorAt(start), scan);
    }
  }

  /** Scans on at each cursor whose line has places. Returns whether a line has lost its cursor. */
  async #followCursors(pass: ClaimPass): Promise<boolean> {
    let hasEnded = false;
    for (const [lineId, cursor] of [...this.#cursors]) {
      if (pass.isIncomplete || pass.claimed.length >= pass.limit) break;
      if (!this.#hasRoom(pass, lineId)) continue;
      const waitMs = remainingWaitMs(cursor);
      if (waitMs > 0) pass.nextTurnMs = Math.min(pass.nextTurnMs, waitMs + AHEAD_MS / 2);
      else if (await this.#followCursor(pass, lineId, cursor)) hasEnded = true;
    }
    return hasEnded;
  }

  /** Scans the chats after a cursor until its line is full. Returns whether the line has no further chats. */
  async #followCursor(pass: ClaimPass, lineId: string, cursor: LineCursor): Promise<boolean> {
    const scan = await this.#scan(pass, cursor.point, lineId);
    if (pass.isIncomplete) return false;
    // The line is the last of those in the next claim.
    this.#cursors.delete(lineId);
    if (scan.first?.lineId === lineId && !scan.first.isOpen) {
      this.#cursors.set(lineId, pausedCursor(cursor, scan.first.turnMs));
      return false;
    }
    const moved = this.#moveCursor(lineId, cursor, scan);
    if (moved === null) return true;
    const hadTurns = scan.endsIn?.isPaced === true && countIn(scan.taken, lineId) > 0;
    return !hadTurns && this.#hasRoom(pass, lineId) ? this.#followCursor(pass, lineId, moved) : false;
  }

  /**
   * Moves a cursor behind the chats of a scan, once the line has sent to as many of them as it may at a time or nothing
   * more of them is due. Otherwise the chats at which a line fills up would have fewer turns than the others. Returns
   * null, without a cursor, when the line has no further chats.
   */
  #moveCursor(lineId: string, cursor: LineCursor, scan: CountedScan): LineCursor | null {
    const taken = cursor.taken + countIn(scan.taken, lineId);
    const staysHere = this.#hasFilled(scan, lineId) && taken < this.#perLine && scan.endsIn?.isPaced !== true;
    if (!staysHere && scan.endsIn?.lineId !== lineId) return null;
    const moved = staysHere ? cursorAt(cursor.point, taken) : cursorAt(scan.next);
    this.#cursors.set(lineId, moved);
    return moved;
  }

  /** Runs one scan. `cursorOf`: the line whose cursor it follows; all other lines with a cursor get no places in it. */
  async #scan(pass: ClaimPass, from: ScanPoint, cursorOf: string | null): Promise<CountedScan> {
    const before = countByLine(this.#inFlight);
    const places = { perLine: this.#perLine, inHand: this.#placesTaken(cursorOf) };
    const scan = await claimFrom(from, pass.limit - pass.claimed.length, places).catch((error: unknown) => {
      // Messages already claimed must be returned: their leases are renewed, so no other claim would find them.
      if (pass.claimed.length === 0) throw error;
      pass.isIncomplete = true;
      return FAILED_SCAN;
    });
    for (const message of scan.messages) this.#inFlight.add(message);
    pass.claimed.push(...scan.messages);
    pass.nextTurnMs = Math.min(pass.nextTurnMs, scan.nextTurnMs);
    const counted = {
      ...scan,
      taken: countByLine(scan.messages),
      places: countByLine(scan.messages, before),
    };
    for (const lineId of counted.taken.keys()) if (this.#hasFilled(counted, lineId)) pass.filled.add(lineId);
    return counted;
  }

  /** The places that are taken in a scan. A line with a cursor counts as full in every scan but its own. */
  #placesTaken(cursorOf: string | null): CountByLine {
    const counts = countByLine(this.#inFlight);
    for (const lineId of this.#cursors.keys()) if (lineId !== cursorOf) counts.set(lineId, this.#perLine);
    return counts;
  }

  #hasFilled(scan: CountedScan, lineId: string): boolean {
    return countIn(scan.places, lineId) >= this.#perLine;
  }

  #hasRoom(pass: ClaimPass, lineId: string): boolean {
    return pass.claimed.length < pass.limit && this.#countOf(lineId) < this.#perLine;
  }

  #countOf(lineId: string): number {
    return countIn(countByLine(this.#inFlight), lineId);
  }
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

function newPass(limit: number): ClaimPass {
  return {
    limit,
    claimed: [],
    filled: new Set(),
    isIncomplete: false,
    nextTurnMs: Number.POSITIVE_INFINITY,
  };
}

function countByLine(
  messages: Iterable<ClaimedMessage>,
  before: CountByLine = new Map(),
): Map<string, number> {
  const counts = new Map(before);
  for (const { line_id } of messages) counts.set(line_id, countIn(counts, line_id) + 1);
  return counts;
}

function countIn(counts: CountByLine, lineId: string): number {
  return counts.get(lineId) ?? 0;
}
