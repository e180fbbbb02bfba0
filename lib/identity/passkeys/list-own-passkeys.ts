import "server-only";
import { z } from "zod";
import { requireOwnSession } from "@/lib/identity/passkeys/own-session";
import { passkeyBlocker } from "@/lib/identity/passkeys/passkey-origin";
import { findPasskeys, UserPasskey } from "@/lib/identity/passkeys/user-passkey";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";

export const ListOwnPasskeys = contract({
  summary: "List your passkeys",
  tag: "Session",
  right: "signed_in",
  returns: z.object({
    passkeys: z.array(UserPasskey),
    /** Why no passkey can be added, and what to do; null when one can. */
    blocker: z.string().nullable(),
  }),
  status: 200,
  errors: ["access_denied"],
  extension: true,
});

/** The caller's passkeys, oldest first, at most 20. Errors: access_denied. */
export async function listOwnPasskeys({
  actor,
}: Pick<Context, "actor">): Promise<z.infer<typeof ListOwnPasskeys.returns>> {
  const { userId } = requireOwnSession(actor);
  return { passkeys: await findPasskeys(sql, userId), blocker: passkeyBlocker() };
}
