import "server-only";
import { z } from "zod";
import { findOnboarding, finishOnboarding } from "@/lib/agent-payments/finish-onboarding";
import { html } from "@/lib/wallet/html";
import { walletPage, wordsPage } from "@/lib/wallet/wallet-page";

/** The sandbox provider's page on which an admin authorizes an account. */
export async function providerPage(sessionId: string): Promise<Response> {
  const session = z.uuid().safeParse(sessionId).success ? await findOnboarding(sessionId) : null;
  if (session === null) return noSession();
  const title = "Connect the test card provider";
  return walletPage({
    title,
    language: "en",
    formTarget: new URL(session.return_url).origin,
    body: html`<h1>${title}</h1>
<p class="sandbox">Sandbox: no money moves</p>
<p>${session.account_name} asks to make test cards with ${session.provider}.</p>
<form method="post" action="/wallet/provider?session=${sessionId}">
<button name="decision" value="authorize">Authorize</button>
<button name="decision" value="cancel" class="second">Cancel</button>
</form>`,
  });
}

/** Ends the onboarding as the admin decided, and leads back. */
export async function decideOnboarding(sessionId: string, decision: string | null): Promise<Response> {
  const isKnown = z.uuid().safeParse(sessionId).success;
  const back = isKnown ? await finishOnboarding(sessionId, decision === "authorize") : null;
  if (back === null) return noSession();
  return new Response(null, { status: 303, headers: { location: back, "cache-control": "no-store" } });
}

/** Sends an admin of a provider's own onboarding on to where `find` says. */
export async function leadOn(
  request: Request,
  find: (sessionId: string) => Promise<string | null>,
): Promise<Response> {
  const sessionId = z.uuid().safeParse(new URL(request.url).searchParams.get("session"));
  const location = sessionId.success ? await find(sessionId.data) : null;
  if (location === null) return noSession();
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

function noSession(): Response {
  return wordsPage(
    { title: "This page has expired", words: "Begin again where you came from.", language: "en" },
    404,
  );
}
