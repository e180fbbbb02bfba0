import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { FAULT_NAMES, FAULTS, faultOf } from "@/lib/adapters/transports/simulator/faults";
import { actOnRead } from "@/lib/adapters/transports/simulator/phone-behavior";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { batched } from "@/lib/platform/database/batch";
import { byKey, sql } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { now, wallMs } from "@/lib/platform/time/clock";

const CONCURRENCY = 100;
const POLL_MS = 500;
const RETRY_MS = 100;

/** A message on its way to a phone, or on a phone, with a pending receipt. */
type DueMessage = RowOf<"simulator-claim">;

/**
 * Starts reporting the pending receipts of the phones: delivered after the delay, then read. The rows are in the
 * database, so a killed process loses none. The sink ignores a repeated receipt.
 */
export function startReporting(sink: Sink): Running {
  shared.trunklineSimulatorReporters = (shared.trunklineSimulatorReporters ?? 0) + 1;
  const queue = startQueue<DueMessage>({
    name: "simulator",
    topic: "simulator",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("simulator_messages", "due_at is not null"),
    claim: claimDue,
    handle: (due) => report(due, sink),
    // The next receipt of a message has its own time, for which `scheduleReceiptCheck` wakes the queue.
    afterItem: ({ wasFull }) => (wasFull ? "claim" : "wait"),
  });
  return {
    stop() {
      shared.trunklineSimulatorReporters = (shared.trunklineSimulatorReporters ?? 1) - 1;
      return queue.stop();
    },
  };
}

const shared = globalThis as typeof globalThis & { trunklineSimulatorReporters?: number };

/** Whether this process reports the receipts of the phones. */
export function isReporting(): boolean {
  return (shared.trunklineSimulatorReporters ?? 0) > 0;
}

/** Checks for due receipts after a delay of the platform clock, before the next poll. */
export function scheduleReceiptCheck(delayMs: number): void {
  setTimeout(() => sql.wake("simulator"), wallMs(delayMs)).unref();
}

/** How far a claim moves the due time of a receipt: a time that distinguishes a claimed receipt from one that waits. */
export function receiptLeaseMs(): number {
  return env().LEASE_SECONDS * 1000 + 1;
}

const FAILING = FAULT_NAMES.filter((name) => FAULTS[name].reports === "failed");

const keysOf = (row: string) => ({
  account_id: `${row}.account_id`,
  line_id: `${row}.line_id`,
  ref: `${row}.ref`,
  handle: `${row}.handle`,
});

const SIMULATOR_CLAIM = statement(
  "simulator-claim",
  `with due as (
    select m.account_id, m.line_id, m.ref, m.handle
    from simulator_messages m join simulator_phones p on p.account_id = m.account_id and p.handle = m.handle
    where m.due_at <= :now and p.connection = 'online' order by m.due_at limit :limit for update of m skip locked
  ), phone as (
    select due.*, p.read_receipts, p.read_after_ms, p.fault, p.behavior, p.fault = any(:failing::text[]) as fails
    from due join simulator_phones p on p.account_id = due.account_id and p.handle = due.handle
  ), claimed as (
    update simulator_messages s
    set due_at = case when s.pending_receipt is not null then :now::timestamptz + :receiptLeaseMs::int * interval '1 millisecond' end,
      delivered_at = case when due.fails then s.delivered_at else coalesce(s.delivered_at, :now) end
    from phone due where ${byKey("s", keysOf("due"))}
    returning s.*, due.read_receipts, due.read_after_ms, due.fault, due.behavior
  )
  select c.account_id, c.line_id, c.handle, c.ref, c.group_ref, c.service, c.pending_receipt as "pending_receipt!: 'delivered' | 'read'", l.phone_number, l.line_type,
    c.read_receipts, c.read_after_ms, c.fault, c.behavior
  from claimed c join lines l on l.account_id = c.account_id and l.id = c.line_id
  where c.pending_receipt is not null`,
);

// The phone has the message before the receipt is reported, so a client that gets the receipt finds the message there.
// A message without a pending receipt has nothing to report and is no longer due. Messages to a phone without a
// connection stay due until the phone is online again.
async function claimDue(limit: number): Promise<DueMessage[]> {
  const claimed = await sql.run(SIMULATOR_CLAIM, {
    now: now(),
    limit,
    failing: FAILING,
    receiptLeaseMs: receiptLeaseMs(),
  });
  if (claimed.length > 0) sql.wake("phones");
  return claimed;
}

async function report(due: DueMessage, sink: Sink): Promise<void> {
  const at = now();
  try {
    const event = receiptOf(due, at);
    if (event !== null) await sink.receive(lineOf(due), [event]);
    if (due.behavior !== null && due.pending_receipt === "read" && due.group_ref === null) {
      await actOnRead({ ...due, line: lineOf(due), at }, sink);
    }
    await settle(due, at);
  } catch (error) {
    log.debug({ err: error, ref: due.ref }, "a simulated receipt will be reported again");
    await postpone(due, at);
  }
}

// Group messages have no receipts: only the state of the phones changes.
function receiptOf(due: DueMessage, at: Date): InEvent | null {
  if (due.group_ref !== null) return null;
  const receipt = { ref: due.ref, messageId: due.ref, service: due.service, at };
  if (due.pending_receipt === "read") return due.read_receipts ? { type: "read", ...receipt } : null;
  if (faultOf(due.fault)?.reports !== "failed") return { type: "delivered", ...receipt };
  const error = new AdapterError("undeliverable", `the phone's fault is "${due.fault}"`);
  return { type: "failed", error, ...receipt };
}

interface Settled {
  due: DueMessage;
  readAt: Date | null;
  /** The time at which the phone reads the message automatically. null when no receipt is pending. */
  readDueAt: Date | null;
}

async function settle(due: DueMessage, at: Date): Promise<void> {
  const arrived = faultOf(due.fault)?.reports !== "failed";
  const isReading = due.pending_receipt === "read";
  const readIn = isReading || !arrived ? null : due.read_after_ms;
  await storeSettled({
    due,
    readAt: isReading ? at : null,
    readDueAt: readIn === null ? null : new Date(at.getTime() + readIn),
  });
  if (readIn !== null) scheduleReceiptCheck(readIn);
}

const storeSettled = batched<Settled, undefined>({
  runOne: async (settled) => (await updateSettled([settled]))[0],
  runMany: updateSettled,
});

const SIMULATOR_SETTLE = statement(
  "simulator-settle",
  `update simulator_messages s set read_at = t.read_at, due_at = t.read_due_at,
    pending_receipt = case when t.read_due_at is not null then 'read' end
  from unnest(:accountIds::uuid[], :lineIds::uuid[], :refs::text[], :handles::text[], :pendingReceipts::text[], :readAts::timestamptz[], :readDueAts::timestamptz[])
    as t(account_id, line_id, ref, handle, pending_receipt, read_at, read_due_at)
  where ${byKey("s", keysOf("t"))} and s.pending_receipt = t.pending_receipt`,
);

async function updateSettled(settled: Settled[]): Promise<undefined[]> {
  await sql.run(SIMULATOR_SETTLE, {
    accountIds: settled.map(({ due }) => due.account_id),
    lineIds: settled.map(({ due }) => due.line_id),
    refs: settled.map(({ due }) => due.ref),
    handles: settled.map(({ due }) => due.handle),
    pendingReceipts: settled.map(({ due }) => due.pending_receipt),
    readAts: settled.map(({ readAt }) => readAt),
    readDueAts: settled.map(({ readDueAt }) => readDueAt),
  });
  return settled.map(() => undefined);
}

const SIMULATOR_POSTPONE = statement(
  "simulator-postpone",
  `update simulator_messages set due_at = :dueAt
  where account_id = :accountId and line_id = :lineId and ref = :ref and handle = :handle and pending_receipt = :pendingReceipt`,
);

// Due again at the same time of the platform clock, so that a failed report does not move a stopped clock. After the
// lease, another process may have reported the receipt. Then nothing is due any more.
async function postpone(due: DueMessage, at: Date): Promise<void> {
  const { account_id, line_id, ref, handle, pending_receipt } = due;
  await sql.run(SIMULATOR_POSTPONE, {
    accountId: account_id,
    lineId: line_id,
    ref,
    handle,
    dueAt: at,
    pendingReceipt: pending_receipt,
  });
  scheduleReceiptCheck(RETRY_MS);
}

function lineOf(due: DueMessage): LineRef {
  return {
    accountId: due.account_id,
    id: due.line_id,
    phoneNumber: due.phone_number,
    lineType: due.line_type,
  };
}
