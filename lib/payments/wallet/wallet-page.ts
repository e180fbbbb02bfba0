import "server-only";
import type { Language } from "@/lib/payments/checkout/translations";
import { type Html, html } from "@/lib/payments/wallet/html";

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
  status?: number;
  /** Another site that the page's form may submit to. */
  formTarget?: string;
  /** A page of this instance may show the page in a frame. */
  isFramed?: boolean;
}

/**
 * Renders a wallet page. It uses no framework, one small script and no external resources, and is never cached. Only
 * the Phones page of a sandbox frames it.
 */
export function walletPage({
  title,
  body,
  language,
  status = 200,
  formTarget,
  isFramed = false,
}: WalletPage): Response {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/wallet.css">
<script src="/wallet.js" defer></script>
</head>
<body><main>${body}</main></body>
</html>
`;
  return new Response(page.markup, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
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
