import "server-only";
import { z } from "zod";
import { requireLiveSession, requireOwnSession } from "@/lib/identity/passkeys/own-session";
import { consumeChallenge, newChallenge } from "@/lib/identity/passkeys/passkey-challenge";
import { passkeyOrigin, requirePasskeyOrigin } from "@/lib/identity/passkeys/passkey-origin";
import { requirePasskeySession } from "@/lib/identity/passkeys/passkey-rule";
import {
  findDescriptors,
  findPasskeys,
  lockCredentials,
  MAX_PASSKEYS,
  PasskeyName,
  UserPasskey,
} from "@/lib/identity/passkeys/user-passkey";
import { type Registration, verifyRegistration } from "@/lib/identity/passkeys/verify-passkey";
import { notifyOtherSessions } from "@/lib/identity/sessions/session-notice";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { challengeOf, NewPasskey } from "@/lib/platform/crypto/passkey-response";
import { generateRegistrationOptions } from "@/lib/platform/crypto/webauthn";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** WebAuthn's PublicKeyCredentialCreationOptionsJSON, as far as Trunkline uses it. */
const CreationOptions = z.looseObject({ challenge: z.string(), rp: z.looseObject({ id: z.string() }) });

export const OwnPasskeyOptions = contract({
  summary: "Get the options with which this browser creates a passkey",
  tag: "Session",
  right: "signed_in",
  proof: true,
  returns: CreationOptions,
  status: 200,
  errors: ["access_denied", "proof_required", "feature_not_available"],
  extension: true,
});

/**
 * Returns the options of a new passkey. The device must verify its user and store the passkey, so that the passkey
 * replaces the email address and the password. Errors: access_denied, proof_required, feature_not_available.
 */
export async function ownPasskeyOptions(ctx: Context) {
  const { userId, sessionId, email, name } = requireOwnSession(ctx.actor);
  requirePasskeyOrigin();
  await requirePasskeySession(sql, requireOwnSession(ctx.actor));

  const options = await generateRegistrationOptions({
    rpName: "Trunkline",
    rpID: passkeyOrigin().rpID,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex")),
    challenge: newChallenge({ type: "register", userId, sessionId }),
    attestationType: "none",
    excludeCredentials: await findDescriptors(sql, userId),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { ...options, rp: { ...options.rp, id: passkeyOrigin().rpID } };
}

export const RegisterOwnPasskey = contract({
  summary: "Add a passkey to your sign-in",
  tag: "Session",
  right: "signed_in",
  proof: true,
  body: z.object({ name: PasskeyName, passkey: NewPasskey }),
  returns: UserPasskey,
  status: 201,
  errors: ["access_denied", "proof_required", "parameter_invalid", "state_conflict", "feature_not_available"],
  extension: true,
});

const SESSION_HAS_PASSKEY = statement(
  "session-has-passkey",
  "update sessions set method = 'passkey', proved_at = now() where id = :sessionId and user_id = :userId and method = 'password'",
);

/**
 * Adds a passkey that this browser created with the options of its session, and shows it in the person's other
 * sessions. Afterwards a session that began with a password counts as one with a passkey. Errors: access_denied,
 * proof_required, parameter_invalid, state_conflict (too many passkeys, or one that exists), feature_not_available.
 */
export async function registerOwnPasskey(
  ctx: Context,
  { body }: Pick<Input<typeof RegisterOwnPasskey>, "body">,
): Promise<UserPasskey> {
  const actor = requireOwnSession(ctx.actor);
  const { userId, sessionId } = actor;
  requirePasskeyOrigin();
  const registration = await verifyRegistration(body.passkey);
  if (registration === null) {
    fail(
      "parameter_invalid",
      "the passkey could not be verified: unlock your device when prompted and try again",
    );
  }
  const { name } = body;
  return transaction(async (tx) => {
    await lockCredentials(tx, userId);
    await requireLiveSession(tx, actor);
    await requirePasskeySession(tx, actor);
    const challenge = challengeOf(body.passkey.response.clientDataJSON);
    if (!(await consumeChallenge(tx, { type: "register", userId, sessionId }, challenge))) {
      fail("parameter_invalid", "the passkey request has expired or was already used: try again");
    }
    const added = await insertPasskey(tx, registration, { userId, name, at: ctx.now });
    await tx.run(SESSION_HAS_PASSKEY, { sessionId, userId });
    const detail = { passkey: added.id, name };
    await recordUserAudit(tx, userId, "user.passkey_added", { traceId: ctx.traceId, detail });
    await notifyOtherSessions(tx, actor, { type: "passkey_added", name, at: ctx.now });
    return added;
  });
}

const INSERT_PASSKEY = statement(
  "insert-passkey",
  `insert into user_passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
  values (:id, :userId, :name, :publicKey, :counter, :transports, :credentialBackedUp, :createdAt) on conflict (id) do nothing returning 1`,
);

async function insertPasskey(
  tx: Sql,
  { credential, credentialBackedUp }: Registration,
  { userId, name, at }: { userId: string; name: string; at: Date },
): Promise<UserPasskey> {
  if ((await findPasskeys(tx, userId)).length >= MAX_PASSKEYS) {
    fail("state_conflict", `you can have ${MAX_PASSKEYS} passkeys: remove one that you no longer use first`);
  }
  const { id, publicKey, counter, transports } = credential;
  const inserted = await tx.run(INSERT_PASSKEY, {
    id,
    userId,
    name,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports ?? [],
    credentialBackedUp,
    createdAt: at,
  });
  if (inserted.length === 0) fail("state_conflict", "this passkey already exists: use it to sign in");
  return { id, name, is_synced: credentialBackedUp, created_at: at.toISOString(), last_used_at: null };
}
