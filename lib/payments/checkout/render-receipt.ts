import "server-only";
import { type Html, html } from "@/lib/payments/checkout/html";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";

interface Receipt {
  /** The recipient of the payment. */
  name: string;
  reference: string;
  /** When it was paid; null when the page does not know. */
  paidAt: Date | null;
}

/** The script of the print button, which is hidden without it. */
export const PRINT_SCRIPT = "/checkout/print.js";

/** Renders the details of a receipt below the amount, and a button that prints the page. */
export function renderReceipt({ name, reference, paidAt }: Receipt, language: Language): Html {
  const translations = translationsFor(language);
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const date = paidAt === null ? null : `${format.format(paidAt)} UTC`;
  return html`<dl>
<dt>${translations.paidTo}</dt><dd dir="auto">${name}</dd>
${date === null ? null : html`<dt>${translations.paidOn}</dt><dd>${date}</dd>`}
<dt>${translations.reference}</dt><dd>${reference}</dd>
</dl>
<button type="button" class="second" data-print hidden>${translations.print}</button>`;
}
