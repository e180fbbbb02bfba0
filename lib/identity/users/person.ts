import "server-only";
import { z } from "zod";
import type { NewSignInLink } from "@/lib/identity/users/sign-in-link";
import { dashboardUrl } from "@/lib/platform/env";

export const RoleName = z.enum(["admin", "developer", "support", "viewer"]);

/** A user of the partner's dashboard. */
export const Person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: RoleName,
  joined_at: z.iso.datetime(),
  last_sign_in_at: z.iso.datetime().nullable(),
  /** Whether the person has not yet set a password through the one-time link or signed in through single sign-on. */
  is_invited: z.boolean(),
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
