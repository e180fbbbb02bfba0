import "server-only";
import { z } from "zod";
import type { NewSignInLink } from "@/lib/identity/users/sign-in-link";
import { dashboardUrl } from "@/lib/platform/env";

export const RoleName = z.enum(["admin", "developer", "support", "viewer"]);

/** Someone who may sign in to the partner's dashboard. */
export const Person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: RoleName,
  joined_at: z.iso.datetime(),
  last_sign_in_at: z.iso.datetime().nullable(),
  /** Whether they still have to set a password by their one-time link, or sign in by single sign-on. */
  is_invited: z.boolean(),
});

export type Person = z.infer<typeof Person>;

/** A one-time link that sets a password. Shown only in the answer that makes it. */
export const PasswordLink = z.object({ url: z.url(), expires_at: z.iso.datetime() });

export function toPasswordLink({ token, expiresAt }: NewSignInLink): z.infer<typeof PasswordLink> {
  return { url: `${dashboardUrl()}/welcome/${token}`, expires_at: expiresAt.toISOString() };
}
