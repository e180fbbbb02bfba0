import "server-only";
import Stripe from "stripe";
import type { CardNotice, CardWebhook } from "@/lib/adapters/card-providers/card-provider";
import { findAccountOf } from "@/lib/adapters/card-providers/stripe/issuing-account";
import { convertEvent, readStripeEvent } from "@/lib/adapters/processors/stripe/stripe-api";
import { env } from "@/lib/platform/env";
import { minorUnits } from "@/lib/platform/text/money";

/** Returns the first missing setting for Stripe Issuing's webhooks, or null when all are set. */
export function missingForIssuingWebhooks(): string | null {
  const { STRIPE_SECRET_KEY, STRIPE_ISSUING_WEBHOOK_SECRETS: secrets } = env();
  if (STRIPE_SECRET_KEY === undefined) return "STRIPE_SECRET_KEY";
  return secrets.length === 0 ? "STRIPE_ISSUING_WEBHOOK_SECRETS" : null;
}

/** Reads a Stripe Issuing webhook from either endpoint. Throws SignatureRefused. */
export async function receiveIssuing(headers: Headers, text: string): Promise<CardWebhook> {
  const event = readStripeEvent(headers, text, env().STRIPE_ISSUING_WEBHOOK_SECRETS);
  return { eventId: event.id, notice: await convertEvent(() => toCardNotice(event)) };
}

/** Builds the webhook response that approves or declines a charge at Stripe. */
export function answerRequest(isApproved: boolean) {
  return { body: { approved: isApproved }, headers: { "stripe-version": Stripe.API_VERSION } };
}

async function toCardNotice(event: Stripe.Event): Promise<CardNotice | null> {
  const accountId = await findAccountOf(event.account ?? "");
  if (accountId === null) return null;
  const at = new Date(event.created * 1000);
  switch (event.type) {
    case "issuing_authorization.request":
      return requestOf(accountId, event.data.object);
    case "issuing_authorization.created":
      return createdOf({ accountId, at }, event.data.object);
    case "issuing_authorization.updated":
      return updatedOf({ accountId, at }, event.data.object);
    case "issuing_transaction.created": {
      const { type, card, authorization, amount, currency } = event.data.object;
      if (type === "refund") {
        const amountMinor = minorUnits(Math.abs(amount), currency);
        return { about: "refund", accountId, cardRef: idOf(card), amountMinor, currency, at };
      }
      // Stripe may report the capture before its authorization.
      if (type !== "capture") return null;
      const chargeRef = authorization === null ? null : idOf(authorization);
      const events = ["authorized", "captured"] as const;
      return { about: "card", accountId, cardRef: idOf(card), chargeRef, events, at };
    }
    case "issuing_card.updated": {
      const { id, status, cancellation_reason: reason } = event.data.object;
      // Trunkline and Stripe cancel cards without a reason, after a payment. A person cancels a lost or stolen card.
      if (status !== "canceled" || (reason !== "lost" && reason !== "stolen")) return null;
      return { about: "card", accountId, cardRef: id, chargeRef: null, events: ["declined"], at };
    }
    case "account.updated":
    case "capability.updated":
      return { about: "account", accountId };
    default:
      return null;
  }
}

/** The account that Stripe's event is about, and its time. */
interface Reported {
  accountId: string;
  at: Date;
}

function requestOf(
  accountId: string,
  { id, card, pending_request, merchant_data }: Stripe.Issuing.Authorization,
): CardNotice {
  const { name, url } = merchant_data;
  const currency = pending_request?.currency ?? card.currency;
  return {
    about: "request",
    request: {
      accountId,
      cardRef: card.id,
      chargeRef: id,
      amountMinor: minorUnits(pending_request?.amount ?? 0, currency),
      currency,
      merchant: { name, url },
    },
  };
}

const OF_NO_PAYMENT: ReadonlySet<string> = new Set(["verification_failed", "card_canceled", "card_inactive"]);

// Three cases don't affect the payment: a verification without an amount, a wrong security code, and a card that
// Trunkline canceled.
function createdOf(reported: Reported, authorization: Stripe.Issuing.Authorization): CardNotice | null {
  const { id, amount, approved, card, request_history } = authorization;
  if (amount === 0 || (!approved && OF_NO_PAYMENT.has(request_history.at(-1)?.reason ?? ""))) return null;
  return {
    about: "card",
    ...reported,
    cardRef: card.id,
    chargeRef: id,
    events: [approved ? "authorized" : "declined"],
  };
}

// An authorized amount that is released without a capture counts as declined.
function updatedOf(reported: Reported, authorization: Stripe.Issuing.Authorization): CardNotice | null {
  const { id, status, card, transactions } = authorization;
  const isGivenBack = (status === "reversed" || status === "expired") && transactions.length === 0;
  return isGivenBack
    ? { about: "card", ...reported, cardRef: card.id, chargeRef: id, events: ["declined"] }
    : null;
}

function idOf(object: string | { id: string }): string {
  return typeof object === "string" ? object : object.id;
}
