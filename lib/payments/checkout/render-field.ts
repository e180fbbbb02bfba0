import "server-only";
import { processorOf } from "@/lib/adapters/processors/registry";
import type { Checkout } from "@/lib/payments/checkout/checkout-view";
import { payLabel } from "@/lib/payments/checkout/first-amount";
import { type Html, html } from "@/lib/payments/checkout/html";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";

interface Field {
  body: Html;
  /** Scripts it needs besides Trunkline's. */
  scripts: readonly string[];
}

interface Payer {
  language: Language;
  session: string;
}

/**
 * The only vendor script that a page of Trunkline loads: the release for the API version that the `stripe` package
 * pins.
 */
export const STRIPE_SCRIPT = "https://js.stripe.com/endive/stripe.js";

/** Renders the payment field of the request's processor. */
export function renderField(checkout: Checkout, payer: Payer): Field {
  const hasTestCards = processorOf(checkout.row.processor).testCards !== undefined;
  return hasTestCards
    ? { body: testCards(checkout, payer), scripts: [] }
    : { body: stripeElement(checkout, payer), scripts: [STRIPE_SCRIPT, "/checkout/stripe.js"] };
}

// A plain HTML form, which works without scripts.
function testCards({ row, branding }: Checkout, { language, session }: Payer): Html {
  const translations = translationsFor(language);
  const cards = Object.entries(translations.cards).map(
    ([card, label], index) => html`<label class="choice">
<input type="radio" name="card" value="${card}" ${index === 0 ? html`checked` : null} /> ${label}</label>`,
  );
  return html`<form method="post" action="/pay/${branding.slug}/attempt">
<input type="hidden" name="session" value="${session}" />
<fieldset><legend>${translations.chooseCard}</legend><p class="quiet">${translations.sandboxHint}</p>${cards}</fieldset>
${payButton(row, language)}</form>`;
}

function stripeElement({ row, branding }: Checkout, { language }: Payer): Html {
  const translations = translationsFor(language);
  return html`<form id="stripe" data-open="/pay/${branding.slug}/open" data-trouble="${translations.unavailable}" data-no-field="${translations.noField}">
<div id="express"></div>
<div id="field" aria-busy="true"><p class="quiet" data-loading>${translations.loadingField}</p></div>
<noscript><p class="notice">${translations.needsScript}</p></noscript>
<p class="notice" role="alert" data-message hidden></p>
${payButton(row, language)}
<p class="quiet">${translations.cardDataNote}</p></form>`;
}

function payButton(row: PaymentRequestRow, language: Language): Html {
  const { working } = translationsFor(language);
  return html`<button type="submit" data-working="${working}">${payLabel(row, language)}</button>`;
}
