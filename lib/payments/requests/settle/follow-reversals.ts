import "server-only";
import type { Reversal } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { merchantOf, type PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { formatAmount } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

const DISPUTED = "payment_disputed";

/** A dispute that the merchant can still answer. */
const OPEN: ReadonlySet<Reversal["status"]> = new Set(["needs_response"]);

/**
 * Reads the refunds and disputes of a payment from the processor and stores them. The processor's current state is
 * stored instead of the reported one, and a state that was read earlier never replaces a later one, so reports can arrive
 * twice and in any order. An unanswered dispute has a notice. Nothing is emitted. Errors: those of `callProcessor`.
 */
export async function followReversals(row: PaymentRequestRow): Promise<void> {
  const { reversals } = processorOf(row.processor);
  if (reversals === undefined || row.paymentIntentId === null) return;
  const readAt = await databaseTime();
  const found = await callProcessor(reversals(merchantOf(row), row.paymentIntentId));
  if (found.length === 0) return;

  await transaction(async (tx) => {
    // The row is locked first, so that the notice follows the newest stored state.
    await tx.query({
      name: "lock-reversed-request",
      text: "select from payment_requests where account_id = $1 and id = $2 for no key update",
      values: [row.accountId, row.id],
    });
    for (const reversal of found) {
      if (await store(tx, row, reversal, readAt)) await noticeDispute(tx, row, reversal);
    }
  });
}

/** Returns false when the stored state was read later. */
async function store(tx: Sql, row: PaymentRequestRow, reversal: Reversal, readAt: string): Promise<boolean> {
  const stored = await tx.query({
    name: "store-payment-reversal",
    text: `insert into payment_reversals as v (account_id, payment_request_id, id, type, status, amount_minor, currency,
             reason, respond_by, created_at, read_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           on conflict (account_id, payment_request_id, id) do update set status = excluded.status,
             amount_minor = excluded.amount_minor, reason = excluded.reason, respond_by = excluded.respond_by,
             read_at = excluded.read_at
           where v.read_at <= excluded.read_at
           returning v.id`,
    values: [
      row.accountId,
      row.id,
      reversal.id,
      reversal.type,
      reversal.status,
      reversal.amountMinor,
      reversal.currency,
      reversal.reason,
      reversal.respondBy,
      reversal.at,
      readAt,
    ],
  });
  return stored.length > 0;
}

async function noticeDispute(tx: Sql, row: PaymentRequestRow, reversal: Reversal): Promise<void> {
  if (reversal.type !== "dispute") return;
  const { accountId } = row;
  const at = now();
  const [open] = await tx.query({
    name: "open-notice-of-dispute",
    text: `select from account_notices
           where account_id = $1 and object_id = $2 and kind = $3 and dismissed_at is null`,
    values: [accountId, row.id, DISPUTED],
  });
  if (!OPEN.has(reversal.status)) {
    if (open) await withdrawNotices(tx, { accountId, objectId: row.id, kinds: [DISPUTED], at });
    return;
  }
  if (open) return;
  const due = reversal.respondBy === null ? "" : ` by ${reversal.respondBy.toISOString().slice(0, 10)}`;
  await recordNotice(tx, {
    accountId,
    objectId: row.id,
    kind: DISPUTED,
    severity: "warning",
    title: `A payment of ${formatAmount(reversal.amountMinor, reversal.currency, "en")} is disputed`,
    body: `Respond to the dispute in your processor's dashboard${due}. Without a response, the payment is lost.`,
    link: `/payments/${row.id}`,
    at,
  });
}

// PostgreSQL's wall clock orders the reads of all processes.
async function databaseTime(): Promise<string> {
  const [row] = await sql.query<{ at: string }>({
    name: "time-of-read",
    text: "select clock_timestamp()::text as at",
  });
  if (row === undefined) throw new Error("PostgreSQL returned no time");
  return row.at;
}
