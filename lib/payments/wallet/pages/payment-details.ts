import "server-only";
import { type Html, html } from "@/lib/payments/checkout/html";
import type { Language } from "@/lib/payments/checkout/translations";
import type { WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { formatAmount } from "@/lib/platform/text/money";
import { groupedNumber } from "@/lib/platform/text/phone-formats";

/** Renders the details of a payment for its customer: amount, recipient, requester and purpose. */
export function paymentDetails({ payment, partnerName }: WalletPayment, language: Language): Html {
  const translations = walletTranslationsFor(language);
  const merchant = merchantOf(payment);
  return html`<p class="amount">${formatAmount(payment.amount_minor, payment.currency, language)}</p>
<dl>
${merchant === null ? null : html`<dt>${translations.to}</dt><dd dir="auto">${merchant}</dd>`}
<dt>${translations.askedBy}</dt><dd dir="auto">${partnerName}</dd>
<dt>${translations.paidBy}</dt><dd><bdi>${groupedNumber(payment.handle)}</bdi></dd>
${payment.description === null ? null : html`<dt>${translations.purpose}</dt><dd dir="auto">${payment.description}</dd>`}
</dl>`;
}

function merchantOf({ merchant_name, merchant_url }: WalletPayment["payment"]): string | null {
  const host = merchant_url === null ? null : new URL(merchant_url).hostname;
  if (merchant_name === null || host === null) return merchant_name ?? host;
  return `${merchant_name} (${host})`;
}
