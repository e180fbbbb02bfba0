import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const SwitchAccount = contract({
  summary: "Switch the account that the dashboard shows",
  tag: "Session",
  right: "signed_in",
  body: z.object({ account_id: z.uuid() }),
  status: 204,
  errors: ["access_denied", "parameter_invalid"],
  extension: true,
});

const SWITCH_ACCOUNT = statement(
  "switch-account",
  `select a.id from accounts a join memberships m on m.partner_id = a.partner_id
  where a.id = :accountId and m.user_id = :userId`,
);

/** Checks that the caller may open an account and returns its id. Errors: access_denied. */
export async function switchAccount(
  { actor }: Context,
  { body }: Pick<Input<typeof SwitchAccount>, "body">,
): Promise<string> {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  const [account] = await sql.run(SWITCH_ACCOUNT, { accountId: body.account_id, userId: actor.userId });
  return account?.id ?? fail("access_denied", "you don't have access to this account");
}
