import "server-only";
import type { Language } from "@/lib/payments/checkout/translations";
import { type Html, html } from "@/lib/payments/wallet/html";

export interface WalletPage {
  title: string;
  body: Html;
  language: Language;
  status?: number;
  /** Another site that the page's form may submit to. */
  formTarget?: string;
}

/**
 * Renders a wallet page. It uses no framework, one small script and no external resources, and is never cached or
 * framed.
 */
export function walletPage({ title, body, language, status = 200, formTarget }: WalletPage): Response {
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
        "frame-ancestors 'none'",
      ].join("; "),
    },
  });
}

/** Renders a page with a title and one message. */
export function messagePage(
  { title, message, language }: { title: string; message: string; language: Language },
  status = 200,
): Response {
  return walletPage({ title, language, status, body: html`<h1>${title}</h1><p>${message}</p>` });
}
