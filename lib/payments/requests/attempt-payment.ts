import "server-only";
import type { Attempt, PayerFact } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { isOpened, merchantOf, type PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { readPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { recordPayerFact, recordPaymentFact } from "@/lib/payments/requests/settle/record-payment-fact";
import { refreshRequest } from "@/lib/payments/requests/settle/settle-request";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";

const LOOK_AGAIN_MS = 5000;

/** A payer's action with a processor that uses test cards. */
type TestPayment = { card: string } | { agreed: boolean };

/**
 * Pays an opened request with a test card, or answers the authentication step that the card required, and updates the
 * request. Errors: parameter_invalid for a processor without test cards, those of `callProcessor`.
 */
export async function attemptPayment(row: PaymentRequestRow, change: TestPayment): Promise<Attempt> {
  const { testCards } = processorOf(row.processor);
  if (testCards === undefined)
    return fail("parameter_invalid", "submit the payment in the card processor's form");
  if ("card" in change && !testCards.has(change.card))
    fail("parameter_invalid", "card: select one of the test cards");
  if (row.status !== "requested" || row.expiresAt <= now() || !isOpened(row)) return "ended";

  const merchant = merchantOf(row);
  if ("card" in change) await recordPaymentAttempt(row);
  const attempt = await callProcessor(
    "card" in change
      ? testCards.pay(merchant, row, change.card)
      : testCards.answerStep(merchant, row, change.agreed),
  );
  if (attempt === "declined") {
    const reason = "card" in change ? "card_declined" : "authentication_failed";
    await storePayerFact(row, { type: "declined", reason });
  }
  if (attempt === "needs_step") await storePayerFact(row, { type: "challenged", reason: null });
  await refreshRequest(row);
  return attempt;
}

async function storePayerFact(row: PaymentRequestRow, fact: PayerFact): Promise<void> {
  await transaction((tx) => recordPayerFact(tx, row, fact));
}

/** Opens a request and pays it with a test card. Errors: as `attemptPayment`. */
export async function payWithTestCard(row: PaymentRequestRow, card: string): Promise<Attempt> {
  const field = await openCheckout(row);
  const opened = field === null ? null : await readPaymentRequest(sql, row.accountId, row.id);
  return opened === null ? "ended" : attemptPayment(opened, { card });
}

const CHECK_PAYMENT_SOON = statement(
  "check-payment-soon",
  `update payment_requests set check_at = least(check_at, :checkAt)
  where account_id = :accountId and id = :id and status = 'requested' and opened_at is not null and expires_at > :expiresAt
  returning id`,
);

/**
 * Records that the payer is trying to pay, while the request is payable, and schedules a check at the processor. The
 * timeline shows one attempt until its result is known.
 */
export async function recordPaymentAttempt(row: PaymentRequestRow): Promise<void> {
  const at = now();
  await transaction(async (tx) => {
    const [open] = await tx.run(CHECK_PAYMENT_SOON, {
      accountId: row.accountId,
      id: row.id,
      checkAt: new Date(at.getTime() + LOOK_AGAIN_MS),
      expiresAt: at,
    });
    if (open === undefined || (await isTrying(tx, row))) return;
    await recordPaymentFact(tx, row, { type: "payment_request.attempted", traceId: row.traceId, at });
  });
}

const LAST_PAYMENT_TRY = statement(
  "last-payment-try",
  `select type from events where account_id = :accountId and trace_id = :traceId and type like 'payment_request.%'
    and type in ('payment_request.attempted', 'payment_request.challenged', 'payment_request.declined')
    and data ->> 'payment_request_id' = :id::text
  order by seq desc limit 1`,
);

// Anyone with the link can report attempts without limit. The condition on the type matches the partial index.
async function isTrying(tx: Sql, { accountId, id, traceId }: PaymentRequestRow): Promise<boolean> {
  const [last] = await tx.run(LAST_PAYMENT_TRY, { accountId, traceId, id });
  return last?.type === "payment_request.attempted";
}
