import "server-only";
import { advancePayment } from "@/lib/payments/agent-payments/advance-payment";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import type { WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";

/** Advances a payment after its customer completed a step on a wallet page. Errors: as `advancePayment`. */
export async function advanceWallet({ ctx, payment }: WalletPayment): Promise<AgentPaymentRow> {
  return advancePayment(ctx, await findPayment(ctx, payment.id));
}
