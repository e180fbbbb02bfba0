import "server-only";
import { z } from "zod";
import { requireLiveSession } from "@/lib/identity/passkeys/own-session";
import { lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { setPassword } from "@/lib/identity/passwords/set-password";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { checkOwnPassword } from "@/lib/identity/sign-in/prove-identity";
import { MAX_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";
import { Password } from "@/lib/identity/users/user";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const ChangeOwnPassword = contract({
  summary: "Change your password",
  tag: "Session",
  right: "signed_in",
  body: z.object({
    current_password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
    new_password: Password,
  }),
  status: 204,
  errors: ["access_denied", "parameter_invalid", "rate_limited"],
  extension: true,
});

/**
 * Changes the caller's password and ends all their sessions, including this one, because a copied cookie must not
 * outlive the password. Errors: access_denied (wrong current password, or a user without one), rate_limited after five
 * wrong passwords.
 */
export async function changeOwnPassword(
  ctx: Context,
  { body }: Pick<Input<typeof ChangeOwnPassword>, "body">,
): Promise<undefined> {
  const session = await checkOwnPassword(ctx, body.current_password);
  const passwordHash = await hashPassword(body.new_password);
  await transaction(async (tx) => {
    await lockCredentials(tx, session.userId);
    await requireLiveSession(tx, session);
    await setPassword(tx, session.userId, passwordHash, "user");
  });
}
