import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import {
  checkIssuingAccount,
  missingOf,
  onboardAccount,
} from "@/lib/adapters/card-providers/stripe/issuing-account";
import {
  closeCard,
  createCardKey,
  findCard,
  mintCard,
} from "@/lib/adapters/card-providers/stripe/issuing-cards";
import {
  answerRequest,
  missingForIssuingWebhooks,
  receiveIssuing,
} from "@/lib/adapters/card-providers/stripe/issuing-webhook";
import { findKeyModeError } from "@/lib/adapters/processors/stripe/stripe-api";

/** Stripe Issuing: cards that the partner funds from its own account under the platform's. */
export const stripeIssuing: CardProvider = {
  name: "stripe_issuing",
  label: "Stripe Issuing",
  isReadyFromStart: false,
  refusal: findKeyModeError,
  onboard: onboardAccount,
  look: checkIssuingAccount,
  missing: missingOf,
  // The partner's account pays, so its customers need no card.
  hasCard: async () => true,
  mint: mintCard,
  findCard,
  handoff: createCardKey,
  close: closeCard,
  missingForWebhooks: missingForIssuingWebhooks,
  receive: receiveIssuing,
  answer: answerRequest,
};
