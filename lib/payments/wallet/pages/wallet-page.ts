import "server-only";
import type { CheckoutBranding } from "@/lib/payments/checkout/checkout-branding";
import { type Html, html } from "@/lib/payments/checkout/html";
import { renderPage } from "@/lib/payments/checkout/render-page";
import type { Language } from "@/lib/payments/checkout/translations";
import { secretBytes } from "@/lib/platform/ids";

/** A request for a wallet page. */
export interface WalletVisit {
  language: Language;
  /** Whether a page of this instance requests the page for a frame. */
  isOwnFrame: boolean;
}

export interface WalletPage {
  title: string;
  body: Html;
  language: Language;
  /** The partner's branding; null on pages that belong to no payment. */
  branding: CheckoutBranding | null;
  /** The path of the page, for the links to other languages. Absent: no links. */
  path?: string;
  status?: number;
  /** Another site that the page's form may submit to. */
  formTarget?: string;
  /** A page of this instance may show the page in a frame. */
  isFramed?: boolean;
  scripts?: readonly string[];
}

const NONCE_BYTES = 16;

/**
 * Renders a wallet page in the frame of the checkout. It uses no framework, small scripts and only the partner's logo from
 * elsewhere, and is never cached. Only the Phones page of a sandbox frames it.
 */
export function walletPage({
  title,
  body,
  language,
  branding,
  path,
  status = 200,
  formTarget,
  isFramed = false,
  scripts = [],
}: WalletPage): Response {
  const nonce = secretBytes(NONCE_BYTES).toString("base64");
  const page = renderPage({
    title,
    body,
    language,
    branding,
    nonce,
    styles: ["/wallet.css"],
    scripts: ["/wallet.js", ...scripts],
    ...(path !== undefined && { path }),
  });
  return new Response(page, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        `img-src 'self' data: ${logoOrigin(branding)}`.trim(),
        "connect-src 'self'",
        `form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
        "base-uri 'none'",
        `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
      ].join("; "),
    },
  });
}

/** Renders a page with a title and one message. */
export function messagePage(
  { title, message, ...page }: Omit<WalletPage, "body"> & { message: string },
  status = 200,
): Response {
  return walletPage({ ...page, title, status, body: html`<h1>${title}</h1><p>${message}</p>` });
}

function logoOrigin(branding: CheckoutBranding | null): string {
  const url = branding?.logoUrl ?? "";
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : "";
}
