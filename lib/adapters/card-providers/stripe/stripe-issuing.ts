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

/** Stripe Issuing: cards that the partner funds, from an account of its own under the platform's. */
export const stripeIssuing: CardProvider = {
  name: "stripe_issuing",
  label: "Stripe Issuing",
  isReadyFromStart: false,
  refusal: refuseMode,
  onboard: onboardAccount,
  look: lookAtAccount,
  missing: missingOf,
  // The partner pays: its customers need no card of their own.
  hasCard: async () => true,
  mint: mintCard,
  findCard,
  handoff: handOff,
  close: closeCard,
  missingForWebhooks: missingForIssuingWebhooks,
  receive: receiveIssuing,
  answer: answerRequest,
};
