import "server-only";
import { isIdle } from "@/lib/payments/agent-payments/find-payment";
import { html } from "@/lib/payments/checkout/html";
import { PRINT_SCRIPT, renderReceipt } from "@/lib/payments/checkout/render-receipt";
import type { WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { paymentDetails } from "@/lib/payments/wallet/pages/payment-details";
import { type WalletEnd, walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { type WalletPage, walletPage } from "@/lib/payments/wallet/pages/wallet-page";

/** Renders the page of a payment that needs nothing from its customer: what became of it. For a completed one, it is the receipt. */
export function endPage(found: WalletPayment, page: Omit<WalletPage, "title" | "body">): Response {
  const { ctx, payment, partnerName } = found;
  const { ends } = walletTranslationsFor(page.language);
  const known: Partial<Record<string, WalletEnd>> = ends;
  const isWaiting = payment.status === "needs_connection" || payment.status === "connecting";
  const { title, text } =
    isWaiting && !isIdle(payment, ctx.now) ? ends.idle : (known[payment.status] ?? ends.other);
  const body = html`<h1>${title}</h1>${paymentDetails(found, page.language)}<p>${text}</p>`;
  if (payment.status !== "succeeded") return walletPage({ ...page, title, body });
  const name = payment.merchant_name ?? partnerName;
  const receipt = renderReceipt({ name, reference: payment.id, paidAt: null }, page.language);
  return walletPage({ ...page, title, scripts: [PRINT_SCRIPT], body: html`${body}${receipt}` });
}
