import "server-only";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { html } from "@/lib/payments/checkout/html";
import { PRINT_SCRIPT, renderReceipt } from "@/lib/payments/checkout/render-receipt";
import { findWalletPayment, isAwaiting, type WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { passkeyButton, passkeyStatus } from "@/lib/payments/wallet/pages/passkey-button";
import { paymentDetails } from "@/lib/payments/wallet/pages/payment-details";
import { type WalletTranslations, walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { walletBranding } from "@/lib/payments/wallet/pages/wallet-branding";
import {
  messagePage,
  type WalletPage,
  type WalletVisit,
  walletPage,
} from "@/lib/payments/wallet/pages/wallet-page";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";

/** Renders the page on which a customer approves a payment with the passkey. */
export async function approvePage(link: string, { language, isOwnFrame }: WalletVisit): Promise<Response> {
  const translations = walletTranslationsFor(language);
  const found = await findWalletPayment("approve", link);
  if (found === null)
    return messagePage(
      { title: translations.invalidTitle, message: translations.invalid, language, branding: null },
      404,
    );
  const isFramed = isOwnFrame && found.ctx.account.type === "sandbox";
  if (isAwaiting(found, "attach")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("attach", found.payment) } });
  }
  const path = `/wallet/approve/${link}`;
  const branding = await walletBranding(found);
  if (!isAwaiting(found, "approve")) return endPage(found, { language, isFramed, path, branding });

  const title = translations.approveTitle;
  return walletPage({
    title,
    language,
    isFramed,
    path,
    branding,
    body: html`<h1>${title}</h1>${paymentDetails(found, language)}
${passkeyButton("sign", { options: `${path}/options`, answer: path, next: path }, { label: translations.approve, translations })}
${passkeyStatus(translations)}
<p class="quiet">${translations.notAsked}</p>`,
  });
}

/** Renders the page of a payment that needs no approval. For a completed one, it is the receipt. */
function endPage(found: WalletPayment, page: Omit<WalletPage, "title" | "body">): Response {
  const { payment } = found;
  const translations = walletTranslationsFor(page.language);
  const title = translations.noApprovalTitle;
  const message = endOf(payment.status, translations);
  if (payment.status !== "succeeded") return messagePage({ ...page, title, message });
  const merchant = payment.merchant_name ?? found.partnerName;
  return walletPage({
    ...page,
    title: message,
    scripts: [PRINT_SCRIPT],
    body: html`<h1>${message}</h1>${paymentDetails(found, page.language)}
${renderReceipt({ name: merchant, reference: payment.id, paidAt: null }, page.language)}`,
  });
}

function endOf(status: AgentPaymentStatus, { ends }: WalletTranslations): string {
  const emitted: Partial<Record<AgentPaymentStatus, string>> = ends;
  return emitted[status] ?? ends.other;
}
