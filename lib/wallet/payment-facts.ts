import "server-only";
import type { WalletPayment } from "@/lib/agent-payments/find-wallet-payment";
import { amountText } from "@/lib/platform/amount-text";
import { type Html, html } from "@/lib/wallet/html";

/** What a customer is asked about: how much, to whom, by whom, for what. */
export function paymentFacts({ payment, partnerName, ctx }: WalletPayment): Html {
  const merchant = merchantOf(payment);
  return html`${ctx.account.type === "sandbox" ? html`<p class="sandbox">Sandbox: no money moves</p>` : null}
<p class="amount">${amountText(payment.amount_cents, payment.currency)}</p>
<dl>
${merchant === null ? null : html`<dt>To</dt><dd>${merchant}</dd>`}
<dt>Asked by</dt><dd>${partnerName}</dd>
<dt>Paid by</dt><dd>${payment.handle}</dd>
${payment.description === null ? null : html`<dt>For</dt><dd>${payment.description}</dd>`}
</dl>`;
}

function merchantOf({ merchant_name, merchant_url }: WalletPayment["payment"]): string | null {
  const host = merchant_url === null ? null : new URL(merchant_url).hostname;
  if (merchant_name === null || host === null) return merchant_name ?? host;
  return `${merchant_name} (${host})`;
}
