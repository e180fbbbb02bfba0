import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import {
  lookAtAccount,
  missingOf,
  onboardAccount,
} from "@/lib/adapters/card-providers/stripe/issuing-account";
import { closeCard, findCard, handOff, mintCard } from "@/lib/adapters/card-providers/stripe/issuing-cards";
import {
  answerRequest,
  missingForIssuingWebhooks,
  receiveIssuing,
} from "@/lib/adapters/card-providers/stripe/issuing-webhook";
import { refuseMode } from "@/lib/adapters/processors/stripe/stripe-api";

/** Stripe Issuing: cards that the partner funds from its own account under the platform's. */
export const stripeIssuing: CardProvider = {
  name: "stripe_issuing",
  label: "Stripe Issuing",
  isReadyFromStart: false,
  refusal: refuseMode,
  onboard: onboardAccount,
  look: lookAtAccount,
  missing: missingOf,
  // The partner's account pays, so its customers need no card.
  hasCard: async () => true,
  mint: mintCard,
  findCard,
  handoff: handOff,
  close: closeCard,
  missingForWebhooks: missingForIssuingWebhooks,
  receive: receiveIssuing,
  answer: answerRequest,
};
