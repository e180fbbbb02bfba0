import "server-only";
import { sandboxVault } from "@/lib/adapters/card-providers/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { providerFor } from "@/lib/payments/card-providers/card-provider-account";
import { advanceWallet } from "@/lib/payments/wallet/advance-wallet";
import { requireWalletPayment, type WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** The content of a customer's wallet. The sandbox's wallet also has the available test cards. */
export interface WalletState {
  hasCard: boolean;
  hasPasskey: boolean;
  testCards: readonly { name: string; label: string }[];
}

const HAS_WALLET = plannedStatement(
  "has-wallet",
  "select 1 from passkeys where account_id = :accountId and handle = :handle limit 1",
);

/** Reads the wallet of a payment's customer. Errors: as `callProvider`. */
export async function findWallet({ ctx, payment }: WalletPayment): Promise<WalletState> {
  const provider = providerFor(ctx.account, payment.provider);
  const customer = { accountId: payment.account_id, handle: payment.handle };
  const [hasCard, passkeys] = await Promise.all([
    callProvider(() => provider.hasCard(customer)),
    sql.run(HAS_WALLET, { accountId: payment.account_id, handle: payment.handle }),
  ]);
  const testCards = provider.name === sandboxVault.provider ? sandboxVault.testCards : [];
  return { hasCard, hasPasskey: passkeys.length > 0, testCards };
}

/**
 * Adds a test card to the wallet of a sandbox customer. Test cards are chosen by name, so no card number is entered.
 * Errors: name_unknown, state_conflict, parameter_invalid.
 */
export async function attachTestCard(link: string, card: string): Promise<void> {
  const wallet = await requireWalletPayment("attach", link);
  const { testCards } = await findWallet(wallet);
  if (!testCards.some(({ name }) => name === card)) fail("parameter_invalid", "select one of the test cards");

  const customer = { accountId: wallet.payment.account_id, handle: wallet.payment.handle };
  await transaction(async (tx) => {
    await sandboxVault.attach(tx, customer, card);
    await recordAudit(tx, wallet.ctx, "wallet.card_attached", "wallet", customer.handle);
  });

  await advanceWallet(wallet);
}
