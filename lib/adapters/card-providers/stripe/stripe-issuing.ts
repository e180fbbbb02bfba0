import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import {
  lookAtAccount,
  missingOf,
  onboardAccount,
} from "@/lib/adapters/card-providers/stripe/issuing-account";
import { closeCard, findCard, handOff, mintCard } from "@/lib/adapters/card-providers/stripe/issuing-cards";
import { answerRequest, receiveIssuing } from "@/lib/adapters/card-providers/stripe/issuing-webhook";
import { isLiveKey } from "@/lib/adapters/processors/stripe/stripe-api";

/** Stripe Issuing: cards that the partner funds, from an account of its own under the platform's. */
export const stripeIssuing: CardProvider = {
  name: "stripe_issuing",
  label: "Stripe Issuing",
  isReadyFromStart: false,
  refusal: refuseAccount,
  onboard: onboardAccount,
  look: lookAtAccount,
  missing: missingOf,
  // The partner pays: its customers need no card of their own.
  hasCard: async () => true,
  mint: mintCard,
  findCard,
  handoff: handOff,
  close: closeCard,
  receive: receiveIssuing,
  answer: answerRequest,
};

// A sandbox never moves money, and production never pretends to.
function refuseAccount(accountType: "sandbox" | "production"): string | null {
  const isLive = isLiveKey();
  if (isLive === null)
    return "Stripe Issuing is not set up on this instance: its operator sets STRIPE_SECRET_KEY";
  if (accountType === "production" && !isLive) {
    return "a production account needs a live Stripe key: the instance's STRIPE_SECRET_KEY is a test key";
  }
  if (accountType === "sandbox" && isLive) {
    return "a sandbox account moves no money: the instance's STRIPE_SECRET_KEY is a live key";
  }
  return null;
}
