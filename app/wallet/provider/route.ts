import { decideOnboarding, languageOf, providerPage } from "@/lib/payments/wallet/provider-page";
import { readForm } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const sessionOf = (request: Request) => new URL(request.url).searchParams.get("session") ?? "";

/** The sandbox card provider's onboarding. */
export const GET = plainRoute((request) => providerPage(sessionOf(request), languageOf(request)));

export const POST = plainRoute(async (request, _, limit) => {
  const decision = (await readForm(request, limit)).get("decision");
  return decideOnboarding(sessionOf(request), decision, languageOf(request));
});
