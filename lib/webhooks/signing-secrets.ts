import "server-only";
import { unseal } from "@/lib/platform/crypto";
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
  const current = unseal(subscription.sealedSecret, SECRET_PURPOSE);
  const { previousSecret } = subscription;
  if (previousSecret === null || previousSecret.until <= at) return { legacy: current, all: [current] };
  const previous = unseal(previousSecret.sealed, SECRET_PURPOSE);
  return { legacy: previousSecret.signsLegacy ? previous : current, all: [current, previous] };
}
