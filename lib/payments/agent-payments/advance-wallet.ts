import "server-only";
import { advancePayment } from "@/lib/payments/agent-payments/advance-payment";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import type { WalletPayment } from "@/lib/payments/agent-payments/find-wallet-payment";

/** Brings a payment on after its customer did something on a page of the wallet. Errors: as `advancePayment`. */
export async function advanceWallet({ ctx, payment }: WalletPayment): Promise<AgentPaymentRow> {
  return advancePayment(ctx, await findPayment(ctx, payment.id));
}
