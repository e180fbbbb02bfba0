import { newId, seconds } from "@/lib/testing/stripe/fake-stripe-call";
import type { FakeDispute, FakeRefund, FakeStripeState } from "@/lib/testing/stripe/fake-stripe-state";

type RefundChange = Partial<Pick<FakeRefund, "amount" | "status" | "reason">>;
type DisputeChange = Partial<Pick<FakeDispute, "amount" | "status" | "reason">>;

/** Refunds a payment in full or in part, as the merchant does in Stripe's dashboard, and reports it. */
export async function refundAtStripe(
  books: FakeStripeState,
  paymentIntentId: string,
  change: RefundChange = {},
): Promise<FakeRefund> {
  const { account, intent } = findIntent(books, paymentIntentId);
  const refund: FakeRefund = {
    id: newId("re"),
    object: "refund",
    amount: intent.amount_received,
    currency: intent.currency,
    status: "succeeded",
    reason: null,
    created: seconds(),
    payment_intent: paymentIntentId,
    ...change,
  };
  books.refunds.set(`${account}/${refund.id}`, refund);
  await books.tell(account, "refund.created", refund);
  await books.tell(account, "charge.refunded", {
    id: intent.latest_charge?.id,
    object: "charge",
    payment_intent: paymentIntentId,
  });
  return refund;
}

/** Opens a dispute of a payment, as the payer's bank does, and reports it. */
export async function disputeAtStripe(books: FakeStripeState, paymentIntentId: string): Promise<FakeDispute> {
  const { account, intent } = findIntent(books, paymentIntentId);
  const dispute: FakeDispute = {
    id: newId("dp"),
    object: "dispute",
    amount: intent.amount_received,
    currency: intent.currency,
    status: "needs_response",
    reason: "fraudulent",
    created: seconds(),
    payment_intent: paymentIntentId,
    evidence_details: { due_by: seconds() + 7 * 24 * 60 * 60 },
  };
  books.disputes.set(`${account}/${dispute.id}`, dispute);
  await books.tell(account, "charge.dispute.created", dispute);
  return dispute;
}

/** Changes a dispute and reports it, as closed once it is won or lost. */
export async function changeDispute(
  books: FakeStripeState,
  dispute: FakeDispute,
  change: DisputeChange,
): Promise<void> {
  Object.assign(dispute, change);
  const { account } = findIntent(books, dispute.payment_intent);
  const isClosed = dispute.status === "won" || dispute.status === "lost";
  await books.tell(account, `charge.dispute.${isClosed ? "closed" : "updated"}`, dispute);
}

function findIntent(books: FakeStripeState, paymentIntentId: string) {
  const entry = [...books.intents].find(([, { id }]) => id === paymentIntentId);
  if (entry === undefined) throw new Error(`there is no ${paymentIntentId}`);
  return { account: entry[0].split("/", 1)[0] ?? "", intent: entry[1] };
}
