import "server-only";
import type { WalletPayment } from "@/lib/agent-payments/find-wallet-payment";
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

/** An amount in minor units as people read it: 4200 usd is $42.00, 4200 jpy is ¥4,200. */
export function amountText(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountCents / 10 ** digits);
}

function merchantOf({ merchant_name, merchant_url }: WalletPayment["payment"]): string | null {
  const host = merchant_url === null ? null : new URL(merchant_url).hostname;
  if (merchant_name === null || host === null) return merchant_name ?? host;
  return `${merchant_name} (${host})`;
}
