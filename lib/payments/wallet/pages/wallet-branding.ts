import "server-only";
import { type CheckoutBranding, findBranding } from "@/lib/payments/checkout/checkout-branding";
import type { WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";

/** The branding of a payment's account, as on its checkout. Without one, the partner's name. */
export async function walletBranding({ ctx, partnerName }: WalletPayment): Promise<CheckoutBranding> {
  const { id, type } = ctx.account;
  const plain = { slug: "", name: partnerName, color: null, logoUrl: null, isSandbox: type === "sandbox" };
  return (await findBranding(id)) ?? plain;
}
