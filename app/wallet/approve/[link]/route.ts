import { approvePage } from "@/lib/payments/wallet/approve-page";
import { approvePayment } from "@/lib/payments/wallet/approve-payment";
import { PASSKEY_LIMIT_BYTES, readJson } from "@/lib/payments/wallet/read-json";
import { PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { isOwnFrame } from "@/lib/runtime/customer-pages/is-own-frame";
import { keepLanguage, visitorLanguage } from "@/lib/runtime/customer-pages/visitor-language";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** The page on which a customer approves a payment with the passkey. */
export const GET = plainRoute(async (request, { link = "" }) => {
  const visit = { language: visitorLanguage(request), isOwnFrame: isOwnFrame(request) };
  return keepLanguage(request, await approvePage(link, visit));
});

export const POST = plainRoute(async (request, { link = "" }, limit) => {
  const { status } = await approvePayment(link, await readJson(request, PasskeyAssertion, limit));
  return Response.json({ status });
}, PASSKEY_LIMIT_BYTES);
