import "server-only";
import { type ChallengePurpose, consumeChallenge } from "@/lib/identity/passkeys/passkey-challenge";
import { type StoredPasskey, verifyAssertion } from "@/lib/identity/passkeys/verify-passkey";
import { now } from "@/lib/platform/clock";
import type { Sql } from "@/lib/platform/db";
import { challengeOf, type PasskeyAssertion } from "@/lib/platform/passkey-response";

/** Why a passkey's signature was not accepted. */
export type PasskeyRefusal = "challenge" | "signature" | "removed";

/**
 * Checks a passkey's signature of a challenge and stores the use: each challenge works once, and of two signatures with
 * the same counter only one is accepted. Returns null when the signature was accepted.
 */
export async function consumeAssertion(
  tx: Sql,
  purpose: ChallengePurpose,
  { assertion, stored }: { assertion: PasskeyAssertion; stored: StoredPasskey },
): Promise<PasskeyRefusal | null> {
  const challenge = challengeOf(assertion.response.clientDataJSON);
  if (!(await consumeChallenge(tx, purpose, challenge))) return "challenge";
  const counter = await verifyAssertion(assertion, stored);
  if (counter === null) return "signature";
  const used = await tx.query({
    name: "use-passkey",
    text: `update user_passkeys set counter = $2, last_used_at = $3
           where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
    values: [stored.id, counter, now()],
  });
  return used.length === 0 ? "removed" : null;
}
