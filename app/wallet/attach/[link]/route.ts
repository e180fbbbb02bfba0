import { attachTestCard } from "@/lib/payments/agent-payments/attach-test-card";
import { chooseLanguage } from "@/lib/payments/checkout/translations";
import { attachPage } from "@/lib/payments/wallet/attach-page";
import { readForm } from "@/lib/platform/read-body";
import { isOwnFrame } from "@/lib/runtime/http/is-own-frame";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** The page on which a customer adds a card and a passkey to the wallet. */
export const GET = plainRoute((request, { link = "" }) =>
  attachPage(link, {
    language: chooseLanguage(request.headers.get("accept-language")),
    isOwnFrame: isOwnFrame(request),
  }),
);

export const POST = plainRoute(async (request, { link = "" }) => {
  const card = (await readForm(request)).get("card");
  await attachTestCard(link, card ?? "");
  return new Response(null, { status: 303, headers: { location: `/wallet/attach/${link}` } });
});
