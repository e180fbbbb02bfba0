import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import {
  AgentPaySettings,
  DEFAULT_AGENT_PAY_SETTINGS,
  findAgentPaySettings,
} from "@/lib/payments/agent-payments/agent-pay-settings";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const GetAgentPaySettings = contract({
  summary: "Get the limits of agent payments",
  tag: "Agent payments",
  right: "view_payments",
  returns: AgentPaySettings,
  status: 200,
  errors: [],
  extension: true,
});

export const UpdateAgentPaySettings = contract({
  summary: "Update the limits of agent payments",
  tag: "Agent payments",
  right: "manage_spending",
  proof: true,
  body: AgentPaySettings.partial(),
  returns: AgentPaySettings,
  status: 200,
  errors: ["parameter_invalid", "access_denied"],
  extension: true,
});

export function getAgentPaySettings(ctx: Context): Promise<AgentPaySettings> {
  return findAgentPaySettings(ctx.account.id);
}

const COLUMNS = [
  "max_per_payment_cents",
  "max_per_handle_day_cents",
  "merchant_allow_list",
  "approval_above_cents",
  "currency_limits",
] as const satisfies readonly (keyof AgentPaySettings)[];

/** Changes only the given settings. They apply to cards issued from now on. Errors: as `UpdateAgentPaySettings`. */
export async function updateAgentPaySettings(
  ctx: Context,
  { body }: Pick<Input<typeof UpdateAgentPaySettings>, "body">,
): Promise<AgentPaySettings> {
  return transaction(async (tx) => {
    const settings = await storeSettings(tx, ctx, body);
    await recordAudit(tx, ctx, "agent_pay_settings.updated", "agent_pay_settings", ctx.account.id, body);
    return settings;
  });
}

// Writes only the given fields, so that two concurrent changes don't revert each other.
async function storeSettings(
  tx: Sql,
  ctx: Context,
  change: Partial<AgentPaySettings>,
): Promise<AgentPaySettings> {
  const first = { ...DEFAULT_AGENT_PAY_SETTINGS, ...change };
  const given = COLUMNS.filter((column) => change[column] !== undefined);
  const changes = [...given.map(stored), "updated_at"].map((column) => `${column} = excluded.${column}`);
  const [row] = await tx.runText<AgentPaySettings>({
    text: `insert into agent_pay_settings (account_id, updated_at, ${COLUMNS.map(stored).join(", ")})
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (account_id) do update set ${changes.join(", ")}
           returning ${COLUMNS.map((name) => `${stored(name)} as ${name}`).join(", ")}`,
    values: [
      ctx.account.id,
      ctx.now,
      first.max_per_payment_cents,
      first.max_per_handle_day_cents,
      first.merchant_allow_list,
      first.approval_above_cents,
      JSON.stringify(first.currency_limits),
    ],
  });
  return row ?? fail("internal");
}

/** The column of a setting. Columns of amounts hold minor units, whatever their name on the wire. */
function stored(name: (typeof COLUMNS)[number]): string {
  return name.replace(/_cents$/, "_minor");
}
