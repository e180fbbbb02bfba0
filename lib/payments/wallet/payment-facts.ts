import "server-only";
import type { WalletPayment } from "@/lib/payments/agent-payments/find-wallet-payment";
import { formatAmount } from "@/lib/payments/checkout/format-amount";
import type { Language } from "@/lib/payments/checkout/words";
import { type Html, html } from "@/lib/payments/wallet/html";
import { walletWords } from "@/lib/payments/wallet/words";

/** What a customer is asked about: how much, to whom, by whom, for what. */
export function paymentFacts({ payment, partnerName, ctx }: WalletPayment, language: Language): Html {
  const words = walletWords(language);
  const merchant = merchantOf(payment);
  return html`${ctx.account.type === "sandbox" ? html`<p class="sandbox">${words.sandbox}</p>` : null}
<p class="amount">${formatAmount(payment.amount_cents, payment.currency, language)}</p>
<dl>
${merchant === null ? null : html`<dt>${words.to}</dt><dd>${merchant}</dd>`}
<dt>${words.askedBy}</dt><dd>${partnerName}</dd>
<dt>${words.paidBy}</dt><dd>${payment.handle}</dd>
${payment.description === null ? null : html`<dt>${words.purpose}</dt><dd>${payment.description}</dd>`}
</dl>`;
}

function merchantOf({ merchant_name, merchant_url }: WalletPayment["payment"]): string | null {
  const host = merchant_url === null ? null : new URL(merchant_url).hostname;
  if (merchant_name === null || host === null) return merchant_name ?? host;
  return `${merchant_name} (${host})`;
}
