import "server-only";
import {
  ACCEPT_COUNTED,
  ACCEPT_LOCKED,
  ACCEPT_MANY,
  ACCEPT_ONE,
} from "@/lib/messaging/sending/accept/accept-statement";
import { PAIR_WINDOW_SECONDS } from "@/lib/messaging/sending/pair-window";
import type { Actor } from "@/lib/platform/context";
import { batched } from "@/lib/platform/database/batch";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { toArrays } from "@/lib/platform/database/input-columns";
import { type RowOf, type Statement, statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import type { DeliveryStatus, ParticipantStatus, ServiceType } from "@/lib/platform/prisma/enums";
import { limitResetOf } from "@/lib/platform/sandbox/limit-resets";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { acceptedMessages } from "@/lib/platform/telemetry/metrics";
import { clockParameters } from "@/lib/platform/time/clock";

/** An authenticated and parsed send. The caller creates its ids, so the sends of a batch are distinguishable. */
export interface NewMessage {
  accountId: string;
  isSandbox: boolean;
  chatId: string;
  id: string;
  eventId: string;
  parts: string;
  effect: string | null;
  replyTo: string | null;
  repliedTo: string | null;
  preferredService: ServiceType | null;
  idempotencyKey: string | null;
  overrideOptout: boolean;
  /** The sender, for the audit entry of an override. */
  actor: { type: Actor["type"]; id: string | null };
  traceId: string;
  /** Time of the request. PostgreSQL's clock determines the time of acceptance. */
  requestedAt: Date;
}

/** The outcome of a send. Only `accepted` wrote anything. */
export type Outcome =
  | "accepted"
  | "account_archived"
  | "replay"
  | "chat_missing"
  | "chat_left"
  | "unreachable"
  | "line_restricted"
  | "service_unsupported"
  | "reply_missing"
  | "reply_part_missing"
  | "blocked"
  | "opted_out"
  | "never_wrote"
  | "taken_over"
  | "loop_held"
  | "pair_limit"
  | "daily_limit";

export interface Accepted {
  outcome: Outcome;
  /** The earlier message with the same idempotency key, for `replay`. */
  replayOf: string | null;
  /** The line's participant in the chat. */
  sender: {
    id: string;
    handle: string;
    isMe: boolean;
    service: ServiceType;
    status: ParticipantStatus;
    joinedAt: Date;
    leftAt: Date | null;
  };
  lineType: ServiceType;
  deliveryStatus: DeliveryStatus;
  /** Time of acceptance, by PostgreSQL's clock. */
  createdAt: Date;
  /** The oldest message in the full window, for `pair_limit`. */
  oldestInWindow: Date | null;
  /** The person who took the chat over and when the chat goes back, for `taken_over`. */
  hold: { name: string | null; until: Date } | null;
}

type AcceptedRow = RowOf<"accept-message">;

const acceptBatched = batched<NewMessage, AcceptedRow>({
  runOne: (message) => acceptOne(sql, message, ACCEPT_ONE),
  runMany: (messages) => sql.run(ACCEPT_MANY, toArrays(messages.map(parametersOf))),
  keyOf: (message) => (message.idempotencyKey === null ? null : message.accountId + message.idempotencyKey),
  besideAfterMs: 1,
});

/**
 * Accepts a send or returns why it was rejected, in one round trip. Sends that arrive while a statement is running
 * share the next one. The statement starts after the request arrived, so it sees every opt-out stored before the
 * request (docs/contract.md, section 7.2). Pass `tx` within a transaction.
 */
export async function acceptMessage(message: NewMessage, tx?: Sql): Promise<Accepted> {
  const settled = await settle(message, tx);
  if (settled.inserted) {
    acceptedMessages.inc();
    (tx ?? sql).wake("messages");
    (tx ?? sql).wake("events");
  }
  return toAccepted(settled);
}

// Sends without rare conditions (a daily limit, an override, a chat near its limit) use a statement that skips them.
// Sandboxes are assumed to have a daily limit until a send shows otherwise, other accounts to have none.
const unusual = new Set<string>();
const MAX_UNUSUAL = 10_000;

function isCounted({ accountId, isSandbox }: NewMessage): boolean {
  return isSandbox !== unusual.has(accountId);
}

function cacheDailyLimit({ accountId, isSandbox }: NewMessage, { daily_messages }: AcceptedRow): void {
  if ((daily_messages !== null) === isSandbox) return void unusual.delete(accountId);
  if (unusual.size >= MAX_UNUSUAL) unusual.clear();
  unusual.add(accountId);
}

async function settle(message: NewMessage, tx: Sql | undefined): Promise<AcceptedRow> {
  const first = await acceptFirst(message, tx);
  cacheDailyLimit(message, first);
  if (first.outcome === "needs_lock") {
    if (tx !== undefined) return acceptLocked(message, tx);
    // Sends that wait for another of the chat hold no connection.
    return runSerially(`sends ${message.chatId}`, () => transaction((own) => acceptLocked(message, own)));
  }
  // Another instance stored the same key after this statement's snapshot, or the daily limit is reached. A new
  // statement sees which.
  return first.outcome === "ok" && !first.inserted ? settle(message, tx) : first;
}

function acceptFirst(message: NewMessage, tx: Sql | undefined): Promise<AcceptedRow> {
  if (isCounted(message)) return acceptOne(tx ?? sql, message, ACCEPT_COUNTED);
  return tx === undefined ? acceptBatched(message) : acceptOne(tx, message, ACCEPT_ONE);
}

const LOCK_CHAT_SENDS = statement(
  "lock-chat-sends",
  "select pg_advisory_xact_lock(hashtextextended(:lock, 0))",
);

/**
 * Near a limit, sends to one chat run one after the other on all instances, so that each counts the ones before it. A
 * separate statement takes the lock first, because a statement only sees what was committed when it began.
 */
async function acceptLocked(message: NewMessage, tx: Sql): Promise<AcceptedRow> {
  await tx.run(LOCK_CHAT_SENDS, { lock: `sends ${message.chatId}` });
  const accept = () => acceptOne(tx, message, ACCEPT_LOCKED);
  const row = await accept();
  return row.outcome === "ok" && !row.inserted ? accept() : row;
}

async function acceptOne(
  on: Sql,
  message: NewMessage,
  accept: Statement<"accept-message" | "accept-counted" | "accept-locked">,
): Promise<AcceptedRow> {
  const [row] = await on.run(accept, parametersOf(message));
  if (row === undefined) throw new Error("the accept statement answered no row");
  return row;
}

function parametersOf(message: NewMessage) {
  const { clockFrozenAt, clockOffsetMs } = clockParameters();
  return {
    accountId: message.accountId,
    isSandbox: message.isSandbox,
    chatId: message.chatId,
    id: message.id,
    eventId: message.eventId,
    parts: message.parts,
    effect: message.effect,
    replyTo: message.replyTo,
    repliedTo: message.repliedTo,
    preferredService: message.preferredService,
    idempotencyKey: message.idempotencyKey,
    overrideOptout: message.overrideOptout,
    actorType: message.actor.type,
    actorId: message.actor.id,
    ...pairWindow(message.accountId, message.requestedAt),
    traceId: message.traceId,
    frozenAt: clockFrozenAt,
    offsetMs: clockOffsetMs,
  };
}

/**
 * The id and the time from which messages count toward the limit of messages to one recipient. The id alone is not enough: that
 * of a message that quiet hours have held begins with the end of these, also when it is sent earlier.
 */
export function pairWindow(accountId: string, at: Date): { windowFrom: string; sentSince: Date } {
  const sentSince = new Date(at.getTime() - PAIR_WINDOW_SECONDS * 1000);
  const start = firstIdAt(sentSince.getTime());
  const reset = limitResetOf(accountId);
  return { windowFrom: reset !== null && reset > start ? reset : start, sentSince };
}

function toAccepted(row: AcceptedRow): Accepted {
  if (row.outcome === "needs_lock") throw new Error("the accept statement with a lock returned `needs_lock`");
  return {
    outcome: row.outcome === "ok" ? "accepted" : row.outcome,
    oldestInWindow: row.oldest,
    hold: row.held_until && { name: row.holder, until: row.held_until },
    replayOf: row.old_id,
    sender: {
      id: row.sender_id,
      handle: row.handle,
      isMe: true,
      service: row.service,
      status: row.status,
      joinedAt: row.joined_at,
      leftAt: row.left_at,
    },
    lineType: row.line_type,
    deliveryStatus: row.is_up ? "pending" : "queued",
    createdAt: row.at,
  };
}
