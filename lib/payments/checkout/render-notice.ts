import "server-only";
import type { Checkout } from "@/lib/payments/checkout/checkout-view";
import { firstAmount } from "@/lib/payments/checkout/first-amount";
import { fillHtml, html } from "@/lib/payments/checkout/html";
import { summary, type Visit } from "@/lib/payments/checkout/render-checkout";
import { renderPage } from "@/lib/payments/checkout/render-page";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";
import { formatAmount } from "@/lib/platform/text/money";

/** Renders the page for an unknown link. */
export function renderUnknownLink(language: Language, nonce: string): string {
  const translations = translationsFor(language);
  const body = html`<div class="state state-unknown" role="status"><span class="mark" aria-hidden="true"></span>
<h1>${translations.unknownTitle}</h1><p>${translations.unknown}</p></div>`;
  return renderPage({ language, nonce, title: translations.unknownTitle, branding: null, body });
}

/** Renders the page for a payment of unknown outcome, while the processor does not respond. */
export function renderUnavailable(language: Language, nonce: string, url: string): string {
  const translations = translationsFor(language);
  const body = html`<div class="state state-unknown" role="alert"><span class="mark" aria-hidden="true"></span>
<h1>${translations.unavailableTitle}</h1><p>${translations.unavailable}</p></div>
<a class="button" href="${url}">${translations.checkAgain}</a>`;
  return renderPage({ language, nonce, title: translations.unavailableTitle, branding: null, body });
}

/** Renders the authentication step that a test card requires, as a bank would show it. */
export function renderStep({ row, branding }: Checkout, { language, nonce, session }: Visit): string {
  const translations = translationsFor(language);
  const amount = formatAmount(firstAmount(row) ?? row.amountMinor, row.currency, language);
  const body = html`<h1>${translations.stepTitle}</h1>
<p>${fillHtml(translations.step, { amount, name: branding.name })}</p>
${summary(row, language, "open")}
<form method="post" action="/pay/${branding.slug}/step">
<input type="hidden" name="session" value="${session}" />
<button type="submit" name="agreed" value="yes" data-working="${translations.working}">${translations.confirmStep}</button>
<button type="submit" name="agreed" value="no" class="second">${translations.rejectStep}</button></form>`;
  const watch = { state: "open", expiresAt: row.expiresAt };
  return renderPage({ language, nonce, title: translations.stepTitle, branding, watch, body });
}
