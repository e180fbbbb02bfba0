import "server-only";
import { z } from "zod";
import type { CheckoutBranding } from "@/lib/payments/checkout/checkout-branding";
import { fillHtml, html } from "@/lib/payments/checkout/html";
import { renderPage } from "@/lib/payments/checkout/render-page";
import { fill, translationsFor } from "@/lib/payments/checkout/translations";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { maxUnits } from "@/lib/platform/text/max-units";
import { formatAmount, minorUnits } from "@/lib/platform/text/money";

const SAMPLE_MINOR = minorUnits(4200, "usd");
const NO_IMAGE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

export const PreviewCheckout = contract({
  summary: "Preview the checkout",
  tag: "Payment settings",
  right: "view_payments",
  query: z.object({
    name: z.string().trim().min(1).check(maxUnits(100)),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "must be a color such as #1a2b3c")
      .optional(),
    logo_url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(2048))
      .optional(),
    /** An unsaved logo, inserted by the page that embeds the preview. */
    chosen_logo: z.literal("1").optional(),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

/** Returns the branding of a preview: the requested values, saved or not. */
export function previewBranding(
  ctx: Context,
  { query }: Pick<Input<typeof PreviewCheckout>, "query">,
): CheckoutBranding {
  const { name, color = null, logo_url, chosen_logo } = query;
  const logoUrl = logo_url ?? (chosen_logo === undefined ? null : NO_IMAGE);
  return { slug: "", name, color, logoUrl, isSandbox: ctx.account.type === "sandbox" };
}

/** Renders the checkout page with a sample payment that can't be paid. */
export function renderPreview(branding: CheckoutBranding, nonce: string): string {
  const language = "en";
  const translations = translationsFor(language);
  const amount = formatAmount(SAMPLE_MINOR, "usd", language);
  const body = html`<h1>${fillHtml(translations.title, { name: branding.name })}</h1>
<section class="summary"><div><p class="label">${translations.amount.open}</p><p class="amount">${amount}</p>
<p class="what">Dinner for two</p></div></section>
<form inert><button type="button">${fill(translations.pay, { amount })}</button></form>`;
  const title = fill(translations.title, { name: branding.name });
  return renderPage({ language, nonce, branding, title, label: "Preview of the checkout", body });
}
