import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { PaymentProvider, providerFor } from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const DisablePaymentProvider = contract({
  summary: "Disable a card provider",
  tag: "Agent payments",
  right: "manage_payments",
  proof: true,
  params: z.object({ provider: z.string() }),
  returns: PaymentProvider,
  status: 200,
  errors: ["name_unknown", "feature_not_available", "access_denied"],
  extension: true,
});

const DISABLE_PAYMENT_PROVIDER = plannedStatement(
  "disable-payment-provider",
  `insert into card_provider_accounts (account_id, provider, status, created_at, updated_at)
  values (:accountId, :providerName, 'disabled', :now, :now)
  on conflict (account_id, provider) do update
  set status = 'disabled', session_id = null, updated_at = excluded.updated_at`,
);

/** Stops issuing cards with a provider until the provider is connected again. Errors: as `DisablePaymentProvider`. */
export async function disablePaymentProvider(
  ctx: Context,
  { params }: Pick<Input<typeof DisablePaymentProvider>, "params">,
) {
  const provider = providerFor(ctx.account, params.provider);

  await transaction(async (tx) => {
    await tx.run(DISABLE_PAYMENT_PROVIDER, {
      accountId: ctx.account.id,
      providerName: provider.name,
      now: ctx.now,
    });
    await recordAudit(tx, ctx, "card_provider.disabled", "card_provider", provider.name);
  });

  return { provider: provider.name, status: "disabled" as const };
}
