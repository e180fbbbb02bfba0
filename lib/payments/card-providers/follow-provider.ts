import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import { storeLatest } from "@/lib/adapters/store-latest";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import type { CardProviderStatus } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

/**
 * Reads an account's status from the provider and stores it: `ready` once the account may issue cards, `onboarding`
 * when it no longer may. A disabled provider stays disabled. Returns the status at the provider. Errors: as
 * `callProvider`.
 */
export async function followProvider(provider: CardProvider, accountId: string): Promise<CardProviderStatus> {
  const { look } = provider;
  if (look === undefined) return "ready";
  return storeLatest(
    async () => ((await callProvider(() => look(accountId))).isReady ? "ready" : "onboarding"),
    (status) => storeStatus(provider, accountId, status),
  );
}

const SET_CARD_PROVIDER_STATUS = plannedStatement(
  "set-card-provider-status",
  `update card_provider_accounts c set status = :status::text::card_provider_status, updated_at = :updatedAt
  from accounts a
  where c.account_id = :accountId and c.provider = :providerName and a.id = c.account_id and c.status <> 'disabled'
    and c.status <> :status::text::card_provider_status
  returning a.partner_id`,
);

/** Returns whether the stored status changed. */
async function storeStatus(
  provider: CardProvider,
  accountId: string,
  status: "ready" | "onboarding",
): Promise<boolean> {
  const at = now();
  return transaction(async (tx) => {
    const [moved] = await tx.run(SET_CARD_PROVIDER_STATUS, {
      accountId,
      providerName: provider.name,
      status,
      updatedAt: at,
    });
    if (moved === undefined) return false;
    const scope = { partnerId: moved.partner_id, accountId, at };
    await recordSystemAudit(tx, scope, `card_provider.${status}`, "card_provider", provider.name);
    return true;
  });
}
