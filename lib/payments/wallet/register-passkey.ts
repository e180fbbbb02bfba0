import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { advanceWallet } from "@/lib/payments/wallet/advance-wallet";
import { requireWalletPayment, type WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { consumeChallenge, makeChallenge, relyingParty } from "@/lib/payments/wallet/passkey-challenge";
import {
  consumePasskeyCode,
  lockPasskeys,
  requirePasskeyCode,
} from "@/lib/payments/wallet/passkey-enrollment";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { challengeOf, type NewPasskey } from "@/lib/platform/crypto/passkey-response";
import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from "@/lib/platform/crypto/webauthn";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

/** The code from the customer's phone. */
export const PasskeyCode = z.object({ code: z.string().check(maxUnits(32)) });

/**
 * Returns the options with which the browser creates a passkey, in exchange for the code from the customer's phone.
 * Only the browser that sent the code gets the challenge, so no other browser can enroll with it. Errors: name_unknown,
 * state_conflict, parameter_invalid (the code).
 */
export async function passkeyOptions(link: string, code: string) {
  const { ctx, payment, partnerName } = await requireWalletPayment("attach", link);
  await requirePasskeyCode(ctx, payment, code);
  const challenge = await makeChallenge(payment, "register");
  return generateRegistrationOptions({
    rpName: partnerName,
    rpID: relyingParty().rpID,
    userName: payment.handle,
    userID: new Uint8Array(sha256(`${payment.account_id} ${payment.handle}`)),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    attestationType: "none",
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
}

/**
 * Stores a passkey that was created with the options of a code. A customer with a passkey can't add another one by
 * link, because passkeys approve payments. Errors: name_unknown, state_conflict, parameter_invalid.
 */
export async function registerPasskey(link: string, passkey: NewPasskey): Promise<void> {
  const wallet = await requireWalletPayment("attach", link);
  const challenge = challengeOf(passkey.response.clientDataJSON);
  const verified = await verify(passkey, challenge);

  await transaction(async (tx) => {
    await lockPasskeys(tx, wallet.payment);
    if (!(await consumeChallenge(tx, wallet.payment, "register", challenge))) failStale();
    await insertPasskey(tx, wallet, verified);
    if (!(await consumePasskeyCode(tx, wallet.payment))) failStale();
    await recordAudit(tx, wallet.ctx, "passkey.registered", "passkey", wallet.payment.handle);
  });

  await advanceWallet(wallet);
}

function failStale(): never {
  return fail("parameter_invalid", "the passkey request has expired or was already used: try again");
}

type Registration = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>;

async function verify(passkey: NewPasskey, challenge: string): Promise<Registration> {
  const { rpID, origin } = relyingParty();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (registrationInfo !== undefined) return registrationInfo;
  } catch {
    // The error hides the exact defect, which would help only an attacker.
  }
  return fail(
    "parameter_invalid",
    "the passkey could not be verified: unlock your device when prompted and try again",
  );
}

const INSERT_CUSTOMER_PASSKEY = plannedStatement(
  "insert-customer-passkey",
  `insert into passkeys (account_id, id, handle, public_key, counter, transports, created_at)
  select :accountId, :credentialId, :handle, :publicKey, :counter, :transports, :now
  where not exists (select 1 from passkeys where account_id = :accountId and handle = :handle)
  on conflict do nothing returning 1`,
);

async function insertPasskey(
  tx: Sql,
  { ctx, payment }: WalletPayment,
  { credential }: Registration,
): Promise<void> {
  const inserted = await tx.run(INSERT_CUSTOMER_PASSKEY, {
    accountId: payment.account_id,
    credentialId: credential.id,
    handle: payment.handle,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    now: ctx.now,
  });
  if (inserted.length === 0) fail("state_conflict", "the customer already has a passkey: use it to approve");
}
