import "server-only";
import { z } from "zod";
import { acceptWithPassword } from "@/lib/identity/users/accept-invitation";
import { setPasswordByLink } from "@/lib/identity/users/set-password";
import { Password } from "@/lib/identity/users/user";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors";

/** For people who cannot sign in yet. The token of the one-time link authenticates them. */
export const SetFirstPassword = contract({
  summary: "Set a password with a one-time link",
  tag: "Session",
  body: z.object({ token: z.string(), password: Password }),
  returns: z.object({ email: z.string() }),
  status: 200,
  errors: ["field_missing", "parameter_invalid", "name_unknown", "state_conflict"],
  extension: true,
});

/**
 * Sets the password of a one-time link's user, or accepts the invitation of the link. Errors: name_unknown (a link that was
 * used, has expired or never existed), state_conflict (an invitation that the person accepts signed in).
 */
export async function setFirstPassword({
  body,
}: Pick<Input<typeof SetFirstPassword>, "body">): Promise<{ email: string }> {
  const { token, password } = body;
  const email = (await setPasswordByLink(token, password)) ?? (await acceptWithPassword(token, password));
  if (email === null)
    fail("name_unknown", "This link has expired or was already used. Ask an admin for a new link.");
  return { email };
}
