import "server-only";
import type { Reversal } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { recordNotice, withdrawNotices } from "@/lib/identity/notices/record-notice";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { merchantOf, type PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { formatAmount } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

const DISPUTED = "payment_disputed";

/** A dispute that the merchant can still answer. */
const OPEN: ReadonlySet<Reversal["status"]> = new Set(["needs_response"]);

const LOCK_REVERSED_REQUEST = statement(
  "lock-reversed-request",
  "select from payment_requests where account_id = :accountId and id = :id for no key update",
);

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
    await tx.run(LOCK_REVERSED_REQUEST, { accountId: row.accountId, id: row.id });
    for (const reversal of found) {
      if (await store(tx, row, reversal, readAt)) await noticeDispute(tx, row, reversal);
    }
  });
}

const STORE_PAYMENT_REVERSAL = statement(
  "store-payment-reversal",
  `insert into payment_reversals as v (account_id, payment_request_id, id, type, status, amount_minor, currency,
    reason, respond_by, created_at, read_at)
  values (:accountId, :id, :reversalId, :reversalType, :status, :amountMinor, :currency, :reason, :respondBy, :reversalAt, :readAt)
  on conflict (account_id, payment_request_id, id) do update set status = excluded.status,
    amount_minor = excluded.amount_minor, reason = excluded.reason, respond_by = excluded.respond_by,
    read_at = excluded.read_at
  where v.read_at <= excluded.read_at
  returning v.id`,
);

/** Returns false when the stored state was read later. */
async function store(tx: Sql, row: PaymentRequestRow, reversal: Reversal, readAt: string): Promise<boolean> {
  const stored = await tx.run(STORE_PAYMENT_REVERSAL, {
    accountId: row.accountId,
    id: row.id,
    reversalId: reversal.id,
    reversalType: reversal.type,
    status: reversal.status,
    amountMinor: reversal.amountMinor,
    currency: reversal.currency,
    reason: reversal.reason,
    respondBy: reversal.respondBy,
    reversalAt: reversal.at,
    readAt,
  });
  return stored.length > 0;
}

const OPEN_NOTICE_OF_DISPUTE = statement(
  "open-notice-of-dispute",
  `select from account_notices
  where account_id = :accountId and object_id = :id and kind = :disputed and dismissed_at is null`,
);

async function noticeDispute(tx: Sql, row: PaymentRequestRow, reversal: Reversal): Promise<void> {
  if (reversal.type !== "dispute") return;
  const { accountId } = row;
  const at = now();
  const [open] = await tx.run(OPEN_NOTICE_OF_DISPUTE, { accountId, id: row.id, disputed: DISPUTED });
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

const TIME_OF_READ = statement("time-of-read", "select clock_timestamp()::text as at");

// PostgreSQL's wall clock orders the reads of all processes.
async function databaseTime(): Promise<string> {
  const [row] = await sql.run(TIME_OF_READ);
  if (row === undefined) throw new Error("PostgreSQL returned no time");
  return row.at;
}
