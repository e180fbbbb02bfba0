import { approvePayment, PasskeyAssertion } from "@/lib/payments/agent-payments/approve-payment";
import { chooseLanguage } from "@/lib/payments/checkout/translations";
import { approvePage } from "@/lib/payments/wallet/approve-page";
import { readJson } from "@/lib/payments/wallet/read-json";
import { isOwnFrame } from "@/lib/runtime/http/is-own-frame";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** The page on which a customer approves a payment with the passkey. */
export const GET = plainRoute((request, { link = "" }) =>
  approvePage(link, {
    language: chooseLanguage(request.headers.get("accept-language")),
    isOwnFrame: isOwnFrame(request),
  }),
);

export const POST = plainRoute(async (request, { link = "" }) => {
  const { status } = await approvePayment(link, await readJson(request, PasskeyAssertion));
  return Response.json({ status });
});
