import "server-only";
import { z } from "zod";
import { findOnboarding, finishOnboarding } from "@/lib/payments/card-providers/finish-onboarding";
import { fillHtml, html } from "@/lib/payments/checkout/html";
import { chooseLanguage, type Language } from "@/lib/payments/checkout/translations";
import { walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";
import { messagePage, walletPage } from "@/lib/payments/wallet/pages/wallet-page";

/** Renders the sandbox provider's page on which an admin authorizes an account. */
export async function providerPage(sessionId: string, language: Language): Promise<Response> {
  const session = z.uuid().safeParse(sessionId).success ? await findOnboarding(sessionId) : null;
  if (session === null) return noSession(language);
  const { sandbox, provider: translations } = walletTranslationsFor(language);
  const asks = fillHtml(translations.asks, { account: session.account_name, provider: session.provider });
  return walletPage({
    title: translations.title,
    language,
    branding: null,
    formTarget: new URL(session.return_url).origin,
    body: html`<h1>${translations.title}</h1>
<p class="sandbox">${sandbox}</p>
<p>${asks}</p>
<form method="post" action="/wallet/provider?session=${sessionId}">
<button name="decision" value="authorize">${translations.authorize}</button>
<button name="decision" value="cancel" class="second">${translations.cancel}</button>
</form>`,
  });
}

/** Finishes the onboarding with the admin's decision, and redirects to the partner. */
export async function decideOnboarding(
  sessionId: string,
  decision: string | null,
  language: Language,
): Promise<Response> {
  const isKnown = z.uuid().safeParse(sessionId).success;
  const back = isKnown ? await finishOnboarding(sessionId, decision === "authorize") : null;
  if (back === null) return noSession(language);
  return new Response(null, { status: 303, headers: { location: back, "cache-control": "no-store" } });
}

/** Redirects an admin during a provider's own onboarding to the URL that `find` returns. */
export async function redirectToOnboarding(
  request: Request,
  find: (sessionId: string) => Promise<string | null>,
): Promise<Response> {
  const sessionId = z.uuid().safeParse(new URL(request.url).searchParams.get("session"));
  const location = sessionId.success ? await find(sessionId.data) : null;
  if (location === null) return noSession(languageOf(request));
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** Returns the language for the visitor of a wallet page. */
export function languageOf(request: Request): Language {
  return chooseLanguage(request.headers.get("accept-language"));
}

function noSession(language: Language): Response {
  const { expiredTitle: title, expired: message } = walletTranslationsFor(language);
  return messagePage({ title, message, language, branding: null }, 404);
}
