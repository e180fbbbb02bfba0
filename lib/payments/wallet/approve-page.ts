import "server-only";
import { walletUrl } from "@/lib/payments/agent-payments/wallet-link";
import { html } from "@/lib/payments/checkout/html";
import { findWalletPayment, isAwaiting } from "@/lib/payments/wallet/find-wallet-payment";
import { endPage } from "@/lib/payments/wallet/pages/end-page";
import { passkeyButton, passkeyStatus } from "@/lib/payments/wallet/pages/passkey-button";
import { paymentDetails } from "@/lib/payments/wallet/pages/payment-details";
import { walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { walletBranding } from "@/lib/payments/wallet/pages/wallet-branding";
import { messagePage, type WalletVisit, walletPage } from "@/lib/payments/wallet/pages/wallet-page";

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
