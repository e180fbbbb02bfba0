import "server-only";
import { passkeyOrigin } from "@/lib/identity/passkeys/passkey-origin";
import { challengeOf, type NewPasskey, type PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@/lib/platform/crypto/webauthn";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** The passkey that a signature names, with its person. */
export interface StoredPasskey {
  id: string;
  userId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
}

/** A checked new passkey. */
export type Registration = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>;

const PASSKEY_BY_ID = statement(
  "passkey-by-id",
  "select user_id, public_key, counter from user_passkeys where id = :id",
);

export async function findPasskey(id: string): Promise<StoredPasskey | null> {
  const [row] = await sql.run(PASSKEY_BY_ID, { id });
  if (row === undefined) return null;
  const publicKey = new Uint8Array(row.public_key);
  return { id, userId: row.user_id, publicKey, counter: Number(row.counter) };
}

/** Returns the checked passkey, or null for a response that is not from this site or whose user was not verified. */
export async function verifyRegistration(passkey: NewPasskey): Promise<Registration | null> {
  const { rpID, origin } = passkeyOrigin();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey,
      expectedChallenge: challengeOf(passkey.response.clientDataJSON),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    return registrationInfo ?? null;
  } catch {
    return null;
  }
}

/**
 * Checks a signature. Returns the passkey's counter, which the caller compares with the stored one; null for an invalid
 * signature and a user who was not verified.
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  stored: StoredPasskey,
): Promise<number | null> {
  const { rpID, origin } = passkeyOrigin();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challengeOf(assertion.response.clientDataJSON),
      expectedOrigin: origin,
      expectedRPID: rpID,
      // With 0, a counter that went back is no error: it differs from a wrong signature.
      credential: { id: stored.id, publicKey: stored.publicKey, counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
