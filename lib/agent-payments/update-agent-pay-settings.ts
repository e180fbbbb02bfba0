import "server-only";
import { AgentPaySettings, findAgentPaySettings } from "@/lib/agent-payments/agent-pay-settings";
import { recordAudit } from "@/lib/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { requireRight } from "@/lib/users/role-rights";

export const GetAgentPaySettings = contract({
  summary: "Get what agents may spend",
  tag: "Agent payments",
  returns: AgentPaySettings,
  status: 200,
  errors: [],
  extension: true,
});

export const UpdateAgentPaySettings = contract({
  summary: "Change what agents may spend",
  tag: "Agent payments",
  body: AgentPaySettings.partial(),
  returns: AgentPaySettings,
  status: 200,
  errors: ["parameter_invalid", "access_denied"],
  extension: true,
});

export function getAgentPaySettings(ctx: Context): Promise<AgentPaySettings> {
  return findAgentPaySettings(ctx.account.id);
}

/** Changes what is given; it holds for cards made from now on. Errors: as `UpdateAgentPaySettings`. */
export async function updateAgentPaySettings(
  ctx: Context,
  { body }: Pick<Input<typeof UpdateAgentPaySettings>, "body">,
): Promise<AgentPaySettings> {
  requireRight(ctx, "manage_payments");
  const settings = { ...(await findAgentPaySettings(ctx.account.id)), ...body };
  await transaction(async (tx) => {
    await tx.query({
      text: `insert into agent_pay_settings (account_id, max_per_payment_cents, max_per_handle_day_cents,
               merchant_allow_list, approval_above_cents, currency_limits, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (account_id) do update set max_per_payment_cents = excluded.max_per_payment_cents,
               max_per_handle_day_cents = excluded.max_per_handle_day_cents,
               merchant_allow_list = excluded.merchant_allow_list,
               approval_above_cents = excluded.approval_above_cents,
               currency_limits = excluded.currency_limits, updated_at = excluded.updated_at`,
      values: [
        ctx.account.id,
        settings.max_per_payment_cents,
        settings.max_per_handle_day_cents,
        settings.merchant_allow_list,
        settings.approval_above_cents,
        JSON.stringify(settings.currency_limits),
        ctx.now,
      ],
    });
    await recordAudit(tx, ctx, "agent_pay_settings.updated", "agent_pay_settings", ctx.account.id, body);
  });
  return settings;
}
