import "server-only";
import { type SealContext, unseal } from "@/lib/platform/crypto/crypto";
import { memoize } from "@/lib/platform/tasks/memoize";
import type { SigningSecrets } from "@/lib/webhooks/signing/sign-webhook";

/** The signing secrets of a subscription as they are stored. */
export interface SealedSecrets {
  id: string;
  sealedSecret: Buffer;
  /** The previous secret while it is still valid (platform clock). */
  previousSecret: { sealed: Buffer; until: Date; signsLegacy: boolean } | null;
}

/** The seal context of a subscription's signing secrets. */
export function signingSecretContext(accountId: string, subscriptionId: string): SealContext {
  return { purpose: "webhook-signing-secret", row: { accountId, id: subscriptionId } };
}

/**
 * The valid secrets at a time of the platform clock. During an overlap the previous one is valid too and signs the
 * legacy header until a user switches (docs/contract.md, section 12.7). Throws UnreadableSecret.
 */
export function validSecrets(accountId: string, subscription: SealedSecrets, at: Date): SigningSecrets {
  const current = open(accountId, subscription.id, subscription.sealedSecret);
  const { previousSecret } = subscription;
  if (previousSecret === null || previousSecret.until <= at) return { legacy: current, all: [current] };
  const previous = open(accountId, subscription.id, previousSecret.sealed);
  return { legacy: previousSecret.signsLegacy ? previous : current, all: [current, previous] };
}

// Otherwise the secret of a busy endpoint would be opened for every attempt, which costs as much as both signatures.
const opened = memoize(1000, (key) => {
  const [accountId = "", subscriptionId = "", sealed = ""] = key.split(" ", 3);
  return unseal(Buffer.from(sealed, "base64"), signingSecretContext(accountId, subscriptionId));
});

function open(accountId: string, subscriptionId: string, sealed: Buffer): string {
  return opened(`${accountId} ${subscriptionId} ${sealed.toString("base64")}`);
}

/** Whether a key of ENCRYPTION_KEY opens a subscription's sealed secret. */
export function canOpenSecret(accountId: string, subscriptionId: string, sealed: Buffer): boolean {
  try {
    open(accountId, subscriptionId, sealed);
    return true;
  } catch {
    return false;
  }
}
