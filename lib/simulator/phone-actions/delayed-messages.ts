import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { scheduleReceiptCheck } from "@/lib/adapters/transports/simulator/report-receipts";
import { type Sink, sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { type NewPhonePart, toInParts } from "@/lib/simulator/phone-actions/phone-part";

const CONCURRENCY = 20;
const POLL_MS = 1000;
const LEASE_SECONDS = 60;

/** A message as the network reports it, without its parts. */
export type MessageReport = Omit<InboundMessage, "parts">;

/** A report as JSON. */
export type StoredReport = Omit<MessageReport, "at"> & { at: string };

/** A message from a phone that the network holds back. */
interface DelayedMessage {
  line: LineRef;
  report: MessageReport;
  parts: readonly NewPhonePart[];
  delayMs: number;
}

const DELAY_MESSAGE = plannedStatement(
  "delay-message",
  `insert into simulator_delayed_messages (account_id, ref, line_id, report, parts, due_at, created_at)
  values (:accountId, :ref, :lineId, :report, :parts, :dueAt, :now)`,
);

/** Stores a message that reaches its line after a delay of the platform clock. */
export async function delayMessage(
  ctx: Context,
  { line, report, parts, delayMs }: DelayedMessage,
): Promise<void> {
  await sql.run(DELAY_MESSAGE, {
    accountId: ctx.account.id,
    ref: report.ref,
    lineId: line.id,
    report: JSON.stringify(report),
    parts: JSON.stringify(parts),
    dueAt: new Date(ctx.now.getTime() + delayMs),
    now: ctx.now,
  });
  scheduleReceiptCheck(delayMs);
}

type DueMessage = RowOf<"claim-delayed-messages">;

/**
 * Starts passing held back messages to their lines, in the order of their due times. The rows are in the database, so a
 * killed process loses none. A message waits while its line is down.
 */
export function startDelayedMessages(): Queue {
  return startQueue<DueMessage>({
    name: "delayed messages",
    topic: "simulator",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("simulator_delayed_messages", "true"),
    claim: claimDue,
    handle: (due) => deliver(due, sink()),
  });
}

const CLAIM_DELAYED_MESSAGES = statement(
  "claim-delayed-messages",
  `with due as (
    select d.account_id, d.ref
    from simulator_delayed_messages d join lines l on l.account_id = d.account_id and l.id = d.line_id
    where d.due_at <= :now and l.is_up and (d.lease_until is null or d.lease_until < clock_timestamp())
    order by d.due_at limit :limit for update of d skip locked
  ), leased as (
    update simulator_delayed_messages d
    set lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
    from due where d.account_id = due.account_id and d.ref = due.ref
    returning d.*
  )
  select d.account_id, a.partner_id, d.ref, d.line_id, l.phone_number, l.line_type, d.report, d.parts
  from leased d join accounts a on a.id = d.account_id
    join lines l on l.account_id = d.account_id and l.id = d.line_id
  order by d.due_at, d.ref`,
);

function claimDue(limit: number): Promise<DueMessage[]> {
  return sql.run(CLAIM_DELAYED_MESSAGES, { now: now(), limit });
}

const DELETE_DELAYED_MESSAGE = plannedStatement(
  "delete-delayed-message",
  "delete from simulator_delayed_messages where account_id = :accountId and ref = :ref",
);

async function deliver(due: DueMessage, to: Sink): Promise<void> {
  const { account_id: accountId, ref, report } = due;
  const account = { id: accountId, partnerId: due.partner_id, type: "sandbox" } as const;
  const ctx: Context = { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
  const line = { accountId, id: due.line_id, phoneNumber: due.phone_number, lineType: due.line_type };
  try {
    const parts = await toInParts(ctx, due.parts);
    await to.receive(line, [{ ...report, at: new Date(report.at), parts }]);
  } catch (error) {
    // A file of the message was deleted meanwhile: another attempt would fail too.
    if (!(error instanceof ApiError)) throw error;
    log.warn({ err: error, ref }, "a held back message of a simulated phone was lost");
  }
  await sql.run(DELETE_DELAYED_MESSAGE, { accountId, ref });
}
