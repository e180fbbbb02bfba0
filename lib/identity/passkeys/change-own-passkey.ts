import "server-only";
import { z } from "zod";
import { requireOwnSession } from "@/lib/identity/passkeys/own-session";
import { needsPasskey, requirePasskeySession } from "@/lib/identity/passkeys/passkey-rule";
import {
  findPasskeys,
  lockCredentials,
  PasskeyName,
  PasskeyParams,
} from "@/lib/identity/passkeys/user-passkey";
import { notifyOtherSessions } from "@/lib/identity/sessions/session-notice";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const RenameOwnPasskey = contract({
  summary: "Rename a passkey",
  tag: "Session",
  right: "signed_in",
  params: PasskeyParams,
  body: z.object({ name: PasskeyName }),
  status: 204,
  errors: ["access_denied", "name_unknown", "parameter_invalid"],
  extension: true,
});

const RENAME_PASSKEY = statement(
  "rename-passkey",
  "update user_passkeys set name = :name where id = :passkeyId and user_id = :userId",
);

/** Renames one of the caller's passkeys. Errors: access_denied, name_unknown. */
export async function renameOwnPasskey(
  { actor, traceId }: Context,
  { params, body }: Pick<Input<typeof RenameOwnPasskey>, "params" | "body">,
): Promise<undefined> {
  const { userId } = requireOwnSession(actor);
  await transaction(async (tx) => {
    await lockCredentials(tx, userId);
    const from = await getName(tx, userId, params.passkeyId);
    if (from === body.name) return;
    await tx.run(RENAME_PASSKEY, { userId, passkeyId: params.passkeyId, name: body.name });
    const detail = { passkey: params.passkeyId, name: { from, to: body.name } };
    await recordUserAudit(tx, userId, "user.passkey_renamed", { traceId, detail });
  });
}

export const RemoveOwnPasskey = contract({
  summary: "Remove a passkey from your sign-in",
  tag: "Session",
  right: "signed_in",
  proof: true,
  params: PasskeyParams,
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

const REMOVE_PASSKEY = statement(
  "remove-passkey",
  "delete from user_passkeys where id = :passkeyId and user_id = :userId",
);

/**
 * Removes one of the caller's passkeys and shows this in the person's other sessions. The last passkey of a person
 * stays while the person has no other way to sign in, or needs a passkey. Errors: access_denied, proof_required,
 * name_unknown, state_conflict.
 */
export async function removeOwnPasskey(
  ctx: Context,
  { params }: Pick<Input<typeof RemoveOwnPasskey>, "params">,
): Promise<undefined> {
  const actor = requireOwnSession(ctx.actor);
  const { userId, sessionId } = actor;
  await transaction(async (tx) => {
    const { hasPassword } = await lockCredentials(tx, userId);
    const name = await getName(tx, userId, params.passkeyId);
    await requirePasskeySession(tx, actor);
    const isLast = (await findPasskeys(tx, userId)).length === 1;
    if (isLast) await failIfNeeded(tx, { userId, sessionId, hasPassword });

    await tx.run(REMOVE_PASSKEY, { userId, passkeyId: params.passkeyId });
    const detail = { passkey: params.passkeyId, name };
    await recordUserAudit(tx, userId, "user.passkey_removed", { traceId: ctx.traceId, detail });
    await notifyOtherSessions(tx, actor, { type: "passkey_removed", name, at: ctx.now });
  });
}

interface Credentials {
  userId: string;
  sessionId: string;
  hasPassword: boolean;
}

const SESSION_BY_SSO = statement(
  "session-by-sso",
  "select 1 from sessions where id = :sessionId and method = 'oidc'",
);

// A session by single sign-on shows that the person can sign in without a passkey.
async function failIfNeeded(tx: Sql, { userId, sessionId, hasPassword }: Credentials): Promise<void> {
  if (await needsPasskey(tx, userId)) {
    fail("state_conflict", "your team requires admins to have a passkey: add another one first");
  }
  if (hasPassword) return;
  const [session] = await tx.run(SESSION_BY_SSO, { sessionId });
  if (session !== undefined) return;
  fail("state_conflict", "this passkey is your only way to sign in: add another one first");
}

const NAME_OF_PASSKEY = statement(
  "name-of-passkey",
  "select name from user_passkeys where id = :passkeyId and user_id = :userId",
);

async function getName(tx: Sql, userId: string, passkeyId: string): Promise<string> {
  const [row] = await tx.run(NAME_OF_PASSKEY, { userId, passkeyId });
  return row?.name ?? fail("name_unknown", "you have no such passkey: reload the list");
}
