import "server-only";
import { z } from "zod";
import type { NewSignInLink } from "@/lib/identity/users/sign-in-link";
import { dashboardUrl } from "@/lib/platform/env";

export const RoleName = z.enum(["admin", "developer", "support", "viewer"]);

/** A user of the partner's dashboard, or a person who was invited and has not accepted yet. */
export const Person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: RoleName,
  /** Of an invited person: when the partner invited them. */
  joined_at: z.iso.datetime(),
  last_sign_in_at: z.iso.datetime().nullable(),
  /** Whether the person has not yet set a password through the one-time link or signed in through single sign-on. */
  is_invited: z.boolean(),
  /** The invitation of a person who has not accepted it; null for a member. Nothing else of the person is shown until then. */
  invitation: z
    .object({
      expires_at: z.iso.datetime(),
      is_expired: z.boolean(),
      /** Whether the mail server refused the email, or it could not be sent in time. */
      mail_failed: z.boolean(),
    })
    .nullable(),
  /** Whether the caller may reset the person's password and remove the person's passkeys. */
  can_reset: z.boolean(),
  has_passkey: z.boolean(),
  /** Whether the role comes from a group of the identity provider. */
  from_group: z.boolean(),
});

export type Person = z.infer<typeof Person>;

/** A one-time link that sets a password. Only the response that creates the link contains it. */
export const PasswordLink = z.object({ url: z.url(), expires_at: z.iso.datetime() });

export function toPasswordLink({ token, expiresAt }: NewSignInLink): z.infer<typeof PasswordLink> {
  return { url: `${dashboardUrl()}/welcome/${token}`, expires_at: expiresAt.toISOString() };
}
