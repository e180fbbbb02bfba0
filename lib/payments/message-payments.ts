import "server-only";
import type { StoredExperience } from "@/lib/messaging/content/app-card-part";
import type { AcceptEffect, PaymentPort } from "@/lib/messaging/sending/payment-port";
import { type WalletPage, walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { recordCard } from "@/lib/payments/experiences/record-card";
import { toCard } from "@/lib/payments/experiences/to-card";
import { validateExperience } from "@/lib/payments/experiences/validate-experience";
import { sessionOfLink } from "@/lib/payments/requests/checkout-session";
import { findCheckoutLink } from "@/lib/payments/requests/find-checkout-link";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { recordCheckoutSent } from "@/lib/payments/requests/record-checkout-sent";
import { mayHoldCode, withdrawSharedCode } from "@/lib/payments/wallet/withdraw-shared-code";
import { fail } from "@/lib/platform/errors/errors";
import { amountText } from "@/lib/platform/text/money";

/** The wallet page that each card action links an agent payment's customer to. */
const ASKS: Readonly<Record<string, WalletPage>> = { attach_card: "attach", approve_card: "approve" };

/** A request that can no longer be paid (docs/contract.md, section 6.4). */
const ENDED: ReadonlySet<PaymentRequestRow["status"]> = new Set(["succeeded", "canceled", "expired"]);

/** Implements the messages' port for payments. */
export const MESSAGE_PAYMENTS: PaymentPort = {
  isCheckoutLink: (url) => sessionOfLink(url) !== null,

  async findCheckout(accountId, url) {
    const request = await findCheckoutLink(accountId, url);
    if (request === null) return null;
    if (ENDED.has(request.status)) {
      fail("state_conflict", `the payment request is ${request.status}: create another payment request`);
    }
    const { amountMinor, currency, description, imageUrl } = request;
    const title = `Pay ${amountText(amountMinor, currency)}`;
    return { title, description, imageUrl, effects: [checkoutSent(request)] };
  },

  async composeExperience(ctx, invocation, recipients) {
    const experience = await validateExperience(ctx, invocation, recipients);
    const { app, ...card } = toCard(experience.card);
    const isRequest = experience.card.subject?.type === "payment_request";
    const request = isRequest ? await findCheckoutLink(ctx.account.id, experience.card.url) : null;
    const effects = request === null ? [] : [checkoutSent(request)];
    return { experience, app, card, effects: [...effects, ...cardSent(experience)] };
  },

  // Only the phone gets a working wallet link. The stored URL, which everyone else sees, is not a valid link.
  deliveredUrl(accountId, { action, card: { subject } }) {
    const page = ASKS[action];
    if (page === undefined || subject?.type !== "agent_payment") return null;
    return walletUrl(page, { account_id: accountId, id: subject.id });
  },

  readsText: mayHoldCode,
  noteInboundText: withdrawSharedCode,
};

function checkoutSent(request: PaymentRequestRow): AcceptEffect {
  return (tx, accepted) => recordCheckoutSent(tx, request, accepted);
}

/** Makes the card follow its subject. */
function cardSent({ action, card: { subject } }: StoredExperience): AcceptEffect[] {
  if (subject === null) return [];
  const card = { subject, asksFor: ASKS[action] ?? null };
  return [(tx, { accountId, messageId, at }) => recordCard(tx, { accountId, messageId, at, ...card })];
}
