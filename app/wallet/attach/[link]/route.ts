import { attachTestCard } from "@/lib/payments/agent-payments/attach-test-card";
import { attachPage } from "@/lib/payments/wallet/attach-page";
import { readForm } from "@/lib/platform/read-body";
import { isOwnFrame } from "@/lib/runtime/http/is-own-frame";
import { plainRoute } from "@/lib/runtime/http/plain-route";
import { keepLanguage, visitorLanguage } from "@/lib/runtime/http/visitor-language";

/** The page on which a customer adds a card and a passkey to the wallet. */
export const GET = plainRoute(async (request, { link = "" }) => {
  const visit = { language: visitorLanguage(request), isOwnFrame: isOwnFrame(request) };
  return keepLanguage(request, await attachPage(link, visit));
});

export const POST = plainRoute(async (request, { link = "" }, limit) => {
  const card = (await readForm(request, limit)).get("card");
  await attachTestCard(link, card ?? "");
  return new Response(null, { status: 303, headers: { location: `/wallet/attach/${link}` } });
});
