import { attachPage } from "@/lib/payments/wallet/attach-page";
import { attachTestCard } from "@/lib/payments/wallet/attach-test-card";
import { readForm } from "@/lib/platform/http/read-body";
import { isOwnFrame } from "@/lib/runtime/customer-pages/is-own-frame";
import { keepLanguage, visitorLanguage } from "@/lib/runtime/customer-pages/visitor-language";
import { plainRoute } from "@/lib/runtime/http/plain-route";

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
