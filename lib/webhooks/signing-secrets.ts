import "server-only";
import { unseal } from "@/lib/platform/crypto";
import { remember } from "@/lib/platform/remember";
import type { ClaimedSubscription } from "@/lib/webhooks/claim-deliveries";
import type { SigningSecrets } from "@/lib/webhooks/sign-webhook";

/** What signing secrets are sealed for. */
export const SECRET_PURPOSE = "webhook-signing-secret";

/**
 * The secrets that are valid at a time of the platform clock: during an overlap the previous one too, and the legacy
 * signature is made with that until somebody switches (contract.md 0). Throws when a secret cannot be opened.
 */
export function validSecrets(
  subscription: Pick<ClaimedSubscription, "sealedSecret" | "previousSecret">,
  at: Date,
): SigningSecrets {
  const current = open(subscription.sealedSecret);
  const { previousSecret } = subscription;
  if (previousSecret === null || previousSecret.until <= at) return { legacy: current, all: [current] };
  const previous = open(previousSecret.sealed);
  return { legacy: previousSecret.signsLegacy ? previous : current, all: [current, previous] };
}

// A busy endpoint's secret would be opened for every attempt, which costs as much as both its signatures.
const opened = remember(1000, (sealed) => unseal(Buffer.from(sealed, "latin1"), SECRET_PURPOSE));

function open(sealed: Buffer): string {
  return opened(sealed.toString("latin1"));
}
