import "server-only";
import { brandColors } from "@/lib/payments/checkout/brand-colors";
import type { CheckoutBranding } from "@/lib/payments/checkout/checkout-branding";
import { type Html, html } from "@/lib/payments/checkout/html";
import { languageLinks } from "@/lib/payments/checkout/language-links";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";
import { now } from "@/lib/platform/time/clock";

/** The frame of every checkout page. */
export interface PageFrame {
  language: Language;
  title: string;
  /** The nonce of the page's only inline style. */
  nonce: string;
  branding: CheckoutBranding | null;
  /** The state that the page's script polls. Absent on pages that do not change. */
  watch?: { state: string; expiresAt: Date };
  /** Style sheets after the checkout's own. */
  styles?: readonly string[];
  /** The path and query of the page, for links to it in other languages. Absent: no links. */
  path?: string;
  /** Scripts of the processor, loaded before Trunkline's. */
  scripts?: readonly string[];
  /** Seconds after which a page without scripts reloads. */
  refreshSeconds?: number;
  /** The accessible name of a page that is embedded in another page, such as a preview. */
  label?: string;
  body: Html;
}

/** Renders a complete page of the checkout or the wallet. It has no inline script, and its only inline style sets the partner's colors. */
export function renderPage(frame: PageFrame): string {
  const { language, title, nonce, branding, watch, body } = frame;
  const { brand, onBrand } = brandColors(branding?.color ?? null);
  const scripts = [...(frame.scripts ?? []), ...(watch === undefined ? [] : ["/checkout/checkout.js"])];
  const refresh =
    frame.refreshSeconds === undefined
      ? null
      : html`<noscript><meta http-equiv="refresh" content="${frame.refreshSeconds}" /></noscript>`;
  const main = frame.label === undefined ? html`<main>` : html`<main aria-label="${frame.label}">`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<meta name="color-scheme" content="light dark" />
<title>${title}</title>
${refresh}
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/checkout/checkout.css" />
${(frame.styles ?? []).map((href) => html`<link rel="stylesheet" href="${href}" />`)}
<style nonce="${nonce}">:root{--brand:${brand};--on-brand:${onBrand}}</style>
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
</head>
<body data-state="${watch?.state ?? ""}" data-expires="${watch?.expiresAt.getTime() ?? ""}" data-now="${now().getTime()}">
${branding?.isSandbox === true ? sandboxBanner(language) : null}
${main}
${branding === null ? null : header(branding)}
${body}
</main>
${frame.path === undefined ? null : languageLinks(language, frame.path)}
</body>
</html>`;
  return page.text;
}

function sandboxBanner(language: Language): Html {
  return html`<aside class="sandbox">${translationsFor(language).sandbox}</aside>`;
}

function header({ name, logoUrl }: CheckoutBranding): Html {
  const logo =
    logoUrl === null
      ? html`<span class="initial" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ""}</span>`
      : html`<img class="logo" src="${logoUrl}" alt="" width="40" height="40" />`;
  return html`<header>${logo}<span class="name" dir="auto">${name}</span></header>`;
}
