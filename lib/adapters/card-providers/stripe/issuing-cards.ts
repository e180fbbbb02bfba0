import "server-only";
import Stripe from "stripe";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { CardOrder, CloseResult } from "@/lib/adapters/card-providers/card-provider";
import { findIssuer, requireIssuer } from "@/lib/adapters/card-providers/stripe/issuing-account";
import {
  callStripe,
  createAtStripe,
  findAtStripe,
  stripeApi,
  stripeUrl,
  tryAtStripe,
} from "@/lib/adapters/processors/stripe/stripe-api";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const PAYMENT = "trunkline_payment";
const HOUR_SECONDS = 60 * 60;

/** Merchant categories that agents can't use. Stripe declines authorizations there. */
const BLOCKED: Stripe.Issuing.CardCreateParams.SpendingControls.BlockedCategory[] = [
  "automated_cash_disburse",
  "manual_cash_disburse",
  "quasi_cash",
  "betting_casino_gambling",
];

/** Issues a virtual card that ends with its first charge and accepts at most the payment's amount. */
export async function mintCard({ accountId, paymentId, amountMinor, currency }: CardOrder) {
  const { merchantId, cardholderId } = await requireIssuer(accountId);
  const card = await createAtStripe<{ id: string }>(
    `card:${paymentId}`,
    (options) =>
      stripeApi().issuing.cards.create(
        {
          cardholder: cardholderId,
          currency,
          type: "virtual",
          status: "active",
          lifecycle_controls: { cancel_after: { payment_count: 1 } },
          spending_controls: {
            spending_limits: [
              { amount: amountMinor, interval: "per_authorization" },
              { amount: amountMinor, interval: "all_time" },
            ],
            blocked_categories: BLOCKED,
          },
          metadata: { [PAYMENT]: paymentId },
        },
        { stripeAccount: merchantId, ...options },
      ),
    async () => {
      const found = await findCard(accountId, paymentId);
      return found === null ? null : { id: found.cardRef };
    },
  );
  return { cardRef: card.id };
}

/** Finds the card of a payment among the cards created since the payment. */
export async function findCard(accountId: string, paymentId: string): Promise<{ cardRef: string } | null> {
  const issuer = await findIssuer(accountId);
  if (issuer?.cardholderId == null) return null;
  const { merchantId: stripeAccount, cardholderId: cardholder } = issuer;
  const gte = Math.floor(creationTimeOf(paymentId) / 1000) - HOUR_SECONDS;
  const cards = stripeApi().issuing.cards.list(
    { cardholder, created: { gte }, limit: 100 },
    { stripeAccount },
  );
  return callStripe(firstOf(cards, paymentId));
}

async function firstOf(cards: AsyncIterable<Stripe.Issuing.Card>, paymentId: string) {
  for await (const { id, metadata } of cards) {
    if (metadata[PAYMENT] === paymentId) return { cardRef: id };
  }
  return null;
}

// The first 48 bits of a UUIDv7 are its time.
function creationTimeOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

const CREATE_CARD_KEY = plannedStatement(
  "create-card-key",
  `insert into stripe_issuing_keys (account_id, card_ref, key_id, created_at) values (:accountId, :cardRef, :keyId, :now)`,
);

/**
 * Creates an ephemeral key for one card, valid for minutes. The caller uses it to fetch the card from Stripe, so
 * neither the number nor the security code reaches Trunkline.
 */
export async function createCardKey(accountId: string, cardRef: string) {
  const { merchantId: stripeAccount } = await requireIssuer(accountId);
  const card = await findAtStripe(stripeApi().issuing.cards.retrieve(cardRef, {}, { stripeAccount }));
  if (card?.status !== "active") throw new AdapterError("rejected", "the card is closed");
  const key = await callStripe(
    stripeApi().ephemeralKeys.create(
      { issuing_card: cardRef },
      { stripeAccount, apiVersion: Stripe.API_VERSION },
    ),
  );
  if (key.secret === undefined)
    throw new AdapterError("rejected", "Stripe returned no ephemeral key for the card");
  await sql.run(CREATE_CARD_KEY, { accountId, cardRef, keyId: key.id, now: now() });
  return {
    cardRef,
    fetchUrl: `${stripeUrl()}/v1/issuing/cards/${cardRef}?expand%5B%5D=number&expand%5B%5D=cvc`,
    provider: "stripe_issuing",
    userToken: key.secret,
  };
}

/** Cancels a card and deletes its ephemeral keys, then checks whether a merchant charged it first. */
export async function closeCard(accountId: string, cardRef: string): Promise<CloseResult> {
  const { merchantId: stripeAccount } = await requireIssuer(accountId);
  const { cards, authorizations } = stripeApi().issuing;
  // Stripe rejects changes to a card that is already canceled, which counts as success.
  await tryAtStripe(cards.update(cardRef, { status: "canceled" }, { stripeAccount }));
  await deleteKeys(accountId, cardRef, stripeAccount);
  const { data } = await callStripe(authorizations.list({ card: cardRef, limit: 100 }, { stripeAccount }));
  if (data.some(isHeld)) return "charged";
  return data.some(({ pending_request: asked }) => asked !== null && asked.amount > 0)
    ? "charging"
    : "closed";
}

function isHeld({ amount, approved, status }: Stripe.Issuing.Authorization): boolean {
  return approved && amount > 0 && (status === "pending" || status === "closed");
}

const FIND_CARD_KEYS = plannedStatement(
  "find-card-keys",
  "select key_id as id from stripe_issuing_keys where account_id = :accountId and card_ref = :cardRef",
);

const DELETE_CARD_KEYS = plannedStatement(
  "delete-card-keys",
  "delete from stripe_issuing_keys where account_id = :accountId and card_ref = :cardRef",
);

async function deleteKeys(accountId: string, cardRef: string, stripeAccount: string): Promise<void> {
  const keys = await sql.run(FIND_CARD_KEYS, { accountId, cardRef });
  for (const { id } of keys) {
    // A key that is already deleted or expired counts as success.
    await tryAtStripe(stripeApi().ephemeralKeys.del(id, {}, { stripeAccount }));
  }
  await sql.run(DELETE_CARD_KEYS, { accountId, cardRef });
}
