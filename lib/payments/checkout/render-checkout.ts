import "server-only";
import type { Checkout, CheckoutState } from "@/lib/payments/checkout/checkout-view";
import { firstAmount } from "@/lib/payments/checkout/first-amount";
import { fillHtml, type Html, html } from "@/lib/payments/checkout/html";
import { renderField } from "@/lib/payments/checkout/render-field";
import { type PageFrame, renderPage } from "@/lib/payments/checkout/render-page";
import { PRINT_SCRIPT, renderReceipt } from "@/lib/payments/checkout/render-receipt";
import {
  fill,
  type Language,
  type Translations,
  translationsFor,
} from "@/lib/payments/checkout/translations";
import type { PaymentRequestRow } from "@/lib/payments/requests/payment-request";
import { formatAmount, minorUnits } from "@/lib/platform/text/money";

/** The language of the page, and the result of the preceding action. */
export interface Visit {
  language: Language;
  nonce: string;
  session: string;
  isDeclined: boolean;
  /** A page of this instance shows the page in a frame. */
  isFramed: boolean;
}

const TITLES = {
  processing: "processingTitle",
  paid: "paidTitle",
  canceled: "canceledTitle",
  expired: "expiredTitle",
} as const satisfies Record<Exclude<CheckoutState, "open">, keyof Translations>;

const TEXTS = {
  processing: "processing",
  paid: "paid",
  canceled: "canceled",
  expired: "expired",
} as const satisfies Record<Exclude<CheckoutState, "open">, keyof Translations>;

const LOOK_AGAIN_SECONDS = 5;

/** Renders the page of a checkout in any state. */
export function renderCheckout(checkout: Checkout, visit: Visit): string {
  const { row, branding, state } = checkout;
  const translations = translationsFor(visit.language);
  const frame: PageFrame = {
    language: visit.language,
    nonce: visit.nonce,
    branding,
    path: `/pay/${branding.slug}?${new URLSearchParams({ session: visit.session })}`,
    title: titleOf(checkout, visit, translations),
    body:
      state === "open" ? openBody(checkout, visit, translations) : endedBody(checkout, visit.language, state),
    ...(state === "open" ? { watch: { state, expiresAt: row.expiresAt } } : {}),
  };
  if (state === "open") return renderPage({ ...frame, scripts: renderField(checkout, visit).scripts });
  if (state === "paid") return renderPage({ ...frame, scripts: [PRINT_SCRIPT] });
  if (state !== "processing") return renderPage(frame);
  const watch = { state, expiresAt: row.expiresAt };
  return renderPage({ ...frame, watch, refreshSeconds: LOOK_AGAIN_SECONDS });
}

// The tab's title, which screen readers announce first: the status of the payment.
function titleOf({ branding, state }: Checkout, { isDeclined }: Visit, translations: Translations): string {
  const pay = fill(translations.title, { name: branding.name });
  if (state === "open") return isDeclined ? `${translations.declinedTitle} · ${pay}` : pay;
  return `${translations[TITLES[state]]} · ${branding.name}`;
}

function openBody(checkout: Checkout, visit: Visit, translations: Translations): Html {
  const { row, branding } = checkout;
  const declined = html`<div class="notice" role="alert">
<strong>${translations.declinedTitle}</strong> ${translations.declined}</div>`;
  return html`<h1>${fillHtml(translations.title, { name: branding.name })}</h1>
${summary(row, visit.language, "open")}
${visit.isDeclined ? declined : null}
${renderField(checkout, visit).body}
${renderBackLink(checkout, translations, "open")}
${expiry(row, visit.language)}`;
}

// The script shows a countdown. Without the script, the page shows the date.
function expiry({ expiresAt }: PaymentRequestRow, language: Language): Html {
  const translations = translationsFor(language);
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const date = `${format.format(expiresAt)} UTC`;
  return html`<p class="quiet"><span data-countdown="${translations.expiresIn}">${fill(translations.expiresAt, { date })}</span>
<time role="timer" datetime="${expiresAt.toISOString()}" hidden></time></p>`;
}

function endedBody({ row, branding }: Checkout, language: Language, state: keyof typeof TITLES): Html {
  const translations = translationsFor(language);
  const isCollected = state === "paid" && row.trialEnd !== null;
  const stage = state === "paid" && !isCollected ? "paid" : "ended";
  const text = fillHtml(isCollected ? translations.collected : translations[TEXTS[state]], {
    name: branding.name,
  });
  return html`<div class="state state-${state}" role="status"><span class="mark" aria-hidden="true"></span>
<h1>${translations[TITLES[state]]}</h1><p>${text}</p></div>
${summary(row, language, stage)}
${stage === "paid" ? renderReceipt({ name: branding.name, reference: row.id, paidAt: row.paidAt }, language) : null}
${renderBackLink({ row, branding }, translations, state)}`;
}

// `payment-request-body` accepts only https URLs and URLs of localhost.
function renderBackLink(
  { row, branding }: Pick<Checkout, "row" | "branding">,
  translations: Translations,
  state: CheckoutState,
): Html | null {
  const { successUrl, returnUrl, cancelUrl } = row;
  const isPaid = state === "paid" || state === "processing";
  const url = isPaid ? (successUrl ?? returnUrl) : (cancelUrl ?? returnUrl);
  if (url === null) return null;
  const label = fillHtml(isPaid ? translations.continueTo : translations.returnTo, { name: branding.name });
  return html`<p class="back"><a class="${isPaid ? "button" : "quiet"}" href="${url}" rel="noreferrer">${label}</a></p>`;
}

/** Renders the item, the amount and the interval of the payment. */
export function summary(
  row: PaymentRequestRow,
  language: Language,
  stage: keyof Translations["amount"],
): Html {
  const translations = translationsFor(language);
  const taken = stage === "paid" ? (row.chargedMinor ?? row.amountMinor) : row.amountMinor;
  const amount = formatAmount(taken, row.currency, language);
  const every = stage === "paid" ? "" : everyOf(row, language);
  const image = row.imageUrl === null ? null : html`<img class="item" src="${row.imageUrl}" alt="" />`;
  const quantity =
    row.quantity === null || row.quantity === 1
      ? null
      : html`<p class="quiet">${fill(translations.quantity, { count: String(row.quantity) })}</p>`;
  return html`<section class="summary">${image}<div>
<p class="label">${translations.amount[stage]}</p>
<p class="amount">${amount} ${every}</p>
${row.description === null ? null : html`<p class="what" dir="auto">${row.description}</p>`}
${quantity}
${itemsOf(row, language)}
${discountOf(row, translations)}
${row.mode === "subscription" && stage === "open" ? html`<p class="quiet">${termsOf(row, language, amount)}</p>` : null}
</div></section>`;
}

function itemsOf({ items, currency }: PaymentRequestRow, language: Language): Html | null {
  if (items === null || items.length === 0) return null;
  const lines = items.map(({ name, description, quantity, amount }) => {
    const count = quantity === undefined || quantity === 1 ? null : `${quantity} × `;
    const total = amount === undefined ? null : minorUnits(amount * (quantity ?? 1), currency);
    const price = total === null ? null : formatAmount(total, currency, language);
    return html`<li><span>${count}<bdi>${name}</bdi>${description === undefined ? null : html`<span class="quiet" dir="auto">${description}</span>`}</span>${
      price === null ? null : html`<span class="price">${price}</span>`
    }</li>`;
  });
  return html`<ul class="items" aria-label="${translationsFor(language).items}">${lines}</ul>`;
}

function discountOf({ discount }: PaymentRequestRow, translations: Translations): Html | null {
  if (discount === null) return null;
  const { label } = discount;
  const text =
    label === undefined ? translations.unnamedDiscount : fillHtml(translations.discount, { label });
  return html`<p class="quiet">${text}</p>`;
}

function termsOf(row: PaymentRequestRow, language: Language, amount: string): string {
  const translations = translationsFor(language);
  if (row.trialEnd !== null) {
    const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
    return fill(translations.freeUntil, {
      date: format.format(row.trialEnd),
      amount,
      every: everyOf(row, language),
    });
  }
  const first = row.discount === null ? null : firstAmount(row);
  if (first === null) return translations.firstPayment;
  return fill(translations.firstCharge, { first: formatAmount(first, row.currency, language) });
}

function everyOf({ interval, intervalCount }: PaymentRequestRow, language: Language): string {
  if (interval === null) return "";
  const translations = translationsFor(language);
  if (intervalCount === null || intervalCount === 1) return translations.every[interval];
  const unit = new Intl.NumberFormat(language, { style: "unit", unit: interval, unitDisplay: "long" });
  return fill(translations.everyCount[interval], { count: unit.format(intervalCount) });
}
