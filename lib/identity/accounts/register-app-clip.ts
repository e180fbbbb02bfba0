import "server-only";
import { z } from "zod";
import { AppClip } from "@/lib/identity/accounts/account-options";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 80;
const MAX_URL_PREFIX = 500;

export const RegisterAppClip = contract({
  summary: "Register an app clip",
  tag: "Account",
  right: "manage_account",
  body: z.object({
    name: z.string().trim().min(1, "enter a name for the app clip").check(maxUnits(MAX_NAME)),
    url_prefix: z
      .url({ protocol: /^https$/, hostname: z.regexes.domain })
      .check(maxUnits(MAX_URL_PREFIX))
      .transform((url) => new URL(url).href),
  }),
  returns: AppClip,
  status: 201,
  errors: ["access_denied", "parameter_invalid", "state_conflict"],
});

const REGISTER_APP_CLIP = plannedStatement(
  "register-app-clip",
  `insert into app_clips (account_id, id, name, url_prefix, created_at) values (:accountId, :id, :name, :urlPrefix, :now)
  on conflict (account_id, url_prefix) do nothing returning id`,
);

/**
 * Allows app_clip parts to contain URLs that begin with a prefix (docs/contract.md, section 6.4). Errors:
 * state_conflict when the prefix is already registered.
 */
export async function registerAppClip(ctx: Context, { body }: Pick<Input<typeof RegisterAppClip>, "body">) {
  const id = newId(ctx.now.getTime());

  await transaction(async (tx) => {
    const rows = await tx.run(REGISTER_APP_CLIP, {
      accountId: ctx.account.id,
      id,
      name: body.name,
      urlPrefix: body.url_prefix,
      now: ctx.now,
    });
    if (rows.length === 0)
      fail("state_conflict", `${body.url_prefix} is already registered: remove the existing app clip first`);
    await recordAudit(tx, ctx, "app_clip.registered", "app_clip", id, body);
    tx.wake("accounts");
  });

  return { id, ...body };
}
