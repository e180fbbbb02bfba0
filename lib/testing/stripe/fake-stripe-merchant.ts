import { env } from "@/lib/platform/env";
import { eventOf, type FakeStripe, signedEvent } from "@/lib/testing/stripe/fake-stripe";
import { newId, seconds } from "@/lib/testing/stripe/fake-stripe-call";
import { FAKE_DECISION_SECRET } from "@/lib/testing/stripe/fake-stripe-env";
import type { FakeAuthorization, FakeCard } from "@/lib/testing/stripe/fake-stripe-state";

/** Stripe decides on its own after this time without a response: by default two seconds, 500 ms more than Trunkline's limit. */
const decisionMs = () => env().CHARGE_TIMEOUT_SECONDS * 1000 + 500;

interface Purchase {
  number: string;
  cvc: string;
  amount: number;
  currency?: string;
  merchant?: string;
}

type Reason = FakeAuthorization["request_history"][number]["reason"];

/**
 * A merchant charges an issued card: Stripe checks the card's controls, requests approval from its issuer, and reports
 * the outcome.
 */
export async function chargeIssuedCard(fake: FakeStripe, purchase: Purchase): Promise<FakeAuthorization> {
  const { account, card } = findCard(fake, purchase.number);
  const authorization = pendingOf(card, purchase);
  fake.books.issuing.authorizations.set(`${account}/${authorization.id}`, authorization);

  const refusal = declineReason(fake, card, purchase);
  const reason = refusal ?? (await requestAuthorization(fake, account, authorization));
  const isApproved = reason === "webhook_approved";
  authorization.pending_request = null;
  authorization.approved = isApproved;
  authorization.status = isApproved ? "pending" : "closed";
  authorization.request_history = [{ approved: isApproved, reason }];
  if (isApproved && paymentsWith(fake, card) >= card.lifecycle_controls.cancel_after.payment_count)
    card.status = "canceled";
  await fake.books.tell(account, "issuing_authorization.created", authorization);
  return authorization;
}

/** The merchant captures the authorized amount. */
export async function captureAtMerchant(fake: FakeStripe, authorization: FakeAuthorization): Promise<void> {
  const { account } = ofAuthorization(fake, authorization);
  const transaction = { id: newId("ipi"), object: "issuing.transaction", type: "capture" };
  authorization.transactions = [{ id: transaction.id }];
  authorization.status = "closed";
  const { id, card, amount, currency } = authorization;
  const reported = { ...transaction, amount: -amount, currency, card: card.id, authorization: id };
  await fake.books.tell(account, "issuing_transaction.created", reported);
}

/** The merchant reverses the authorization. */
export async function reverseAtMerchant(fake: FakeStripe, authorization: FakeAuthorization): Promise<void> {
  authorization.status = "reversed";
  authorization.amount = 0;
  const { account } = ofAuthorization(fake, authorization);
  await fake.books.tell(account, "issuing_authorization.updated", authorization);
}

function findCard({ books: { issuing } }: FakeStripe, number: string): { account: string; card: FakeCard } {
  const [id] = [...issuing.secrets].find(([, secret]) => secret.number === number) ?? [];
  const [key, card] = [...issuing.cards].find(([, each]) => each.id === id) ?? [];
  if (key === undefined || card === undefined) throw new Error("the merchant's bank knows no such card");
  return { account: key.split("/", 1)[0] ?? "", card };
}

function ofAuthorization({ books }: FakeStripe, { id }: FakeAuthorization): { account: string } {
  const key = [...books.issuing.authorizations.keys()].find((each) => each.endsWith(`/${id}`)) ?? "";
  return { account: key.split("/", 1)[0] ?? "" };
}

function pendingOf(card: FakeCard, { amount, currency = "usd", merchant = "HARBOR KITCHEN" }: Purchase) {
  const authorization: FakeAuthorization = {
    id: newId("iauth"),
    object: "issuing.authorization",
    amount,
    approved: false,
    created: seconds(),
    currency,
    status: "pending",
    card,
    merchant_data: { name: merchant, url: null, category: "eating_places_restaurants" },
    pending_request: { amount, currency },
    request_history: [],
    transactions: [],
  };
  return authorization;
}

function declineReason({ books }: FakeStripe, card: FakeCard, { cvc, amount }: Purchase): Reason | null {
  if (card.status === "canceled") return "card_canceled";
  if (books.issuing.secrets.get(card.id)?.cvc !== cvc) return "verification_failed";
  return card.spending_controls.spending_limits.some((limit) => amount > limit.amount)
    ? "spending_controls"
    : null;
}

/** The authorizations of a card that Stripe counts as payments: approved, and not of zero. */
function paymentsWith({ books }: FakeStripe, { id }: FakeCard): number {
  const all = [...books.issuing.authorizations.values()];
  return all.filter(({ card, approved, amount }) => card.id === id && approved && amount > 0).length;
}

async function requestAuthorization(
  fake: FakeStripe,
  account: string,
  authorization: FakeAuthorization,
): Promise<Reason> {
  if (fake.issuingUrl === null) return "webhook_timeout";
  const event = eventOf(account, "issuing_authorization.request", authorization);
  const { body, headers } = signedEvent(event, FAKE_DECISION_SECRET);
  const signal = AbortSignal.timeout(decisionMs());
  try {
    const answer = await fetch(fake.issuingUrl, { method: "POST", headers, body, signal });
    const { approved } = await answer.json();
    if (!answer.ok || !answer.headers.has("stripe-version") || typeof approved !== "boolean")
      return "webhook_error";
    return approved ? "webhook_approved" : "webhook_declined";
  } catch {
    return "webhook_timeout";
  }
}
