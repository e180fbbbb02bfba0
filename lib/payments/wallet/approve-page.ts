import "server-only";
import { findWalletPayment, isAwaiting } from "@/lib/payments/agent-payments/find-wallet-payment";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { html } from "@/lib/payments/wallet/html";
import { passkeyButton, passkeyStatus } from "@/lib/payments/wallet/passkey-button";
import { paymentDetails } from "@/lib/payments/wallet/payment-details";
import { type WalletTranslations, walletTranslationsFor } from "@/lib/payments/wallet/translations";
import { messagePage, type WalletVisit, walletPage } from "@/lib/payments/wallet/wallet-page";
import type { AgentPaymentStatus } from "@/lib/platform/prisma/enums";

/** Renders the page on which a customer approves a payment with the passkey. */
export async function approvePage(link: string, { language, isOwnFrame }: WalletVisit): Promise<Response> {
  const translations = walletTranslationsFor(language);
  const found = await findWalletPayment("approve", link);
  if (found === null)
    return messagePage({ title: translations.invalidTitle, message: translations.invalid, language }, 404);
  const isFramed = isOwnFrame && found.ctx.account.type === "sandbox";
  if (isAwaiting(found, "attach")) {
    return new Response(null, { status: 303, headers: { location: walletUrl("attach", found.payment) } });
  }
  if (!isAwaiting(found, "approve")) {
    return messagePage({
      title: translations.noApprovalTitle,
      message: endOf(found.payment.status, translations),
      language,
      isFramed,
    });
  }

  const title = translations.approveTitle;
  const path = `/wallet/approve/${link}`;
  return walletPage({
    title,
    language,
    isFramed,
    body: html`<h1>${title}</h1>${paymentDetails(found, language)}
${passkeyButton("sign", { options: `${path}/options`, answer: path, next: path }, { label: translations.approve, translations })}
${passkeyStatus(translations)}
<p class="quiet">${translations.notAsked}</p>`,
  });
}

function endOf(status: AgentPaymentStatus, { ends }: WalletTranslations): string {
  const emitted: Partial<Record<AgentPaymentStatus, string>> = ends;
  return emitted[status] ?? ends.other;
}
