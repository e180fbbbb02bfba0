import "server-only";
import { copiedPasskeyMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { type ChallengePurpose, consumeChallenge } from "@/lib/identity/passkeys/passkey-challenge";
import { type StoredPasskey, verifyAssertion } from "@/lib/identity/passkeys/verify-passkey";
import { notifyOtherSessions } from "@/lib/identity/sessions/session-notice";
import { challengeOf, type PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** Why a passkey's signature was not accepted. `copied`: its counter went back, because a copy of it was used since. */
export type PasskeyRefusal = "challenge" | "copied" | "signature" | "removed";

const USE_PASSKEY = statement(
  "use-passkey",
  `update user_passkeys set counter = :counter, last_used_at = :now
  where id = :storedId and (counter < :counter or (counter = 0 and :counter = 0)) returning 1`,
);

/**
 * Checks a passkey's signature of a challenge and stores the use: each challenge works once, and of two signatures with
 * the same counter only one is accepted. The person gets a notice of a passkey that was copied. Returns null when the signature
 * was accepted.
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
  const used = await tx.run(USE_PASSKEY, { storedId: stored.id, counter, now: now() });
  if (used.length > 0) return null;
  return (await reportCopy(tx, stored)) ? "copied" : "removed";
}

const COPIED_PASSKEY = statement(
  "copied-passkey",
  "select k.name, u.email from user_passkeys k join users u on u.id = k.user_id where k.id = :id",
);

/** Shows the person in every session and by email that a passkey was copied. Returns false when the passkey was removed. */
async function reportCopy(tx: Sql, { id, userId }: StoredPasskey): Promise<boolean> {
  const [found] = await tx.run(COPIED_PASSKEY, { id });
  if (found === undefined) return false;
  const at = now();
  await notifyOtherSessions(tx, { userId }, { type: "passkey_copied", name: found.name, at });
  const mail = copiedPasskeyMail(found.name, at);
  await queueMail(tx, { type: "new_device", recipient: found.email, mail });
  return true;
}
