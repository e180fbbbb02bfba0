import { sendPasskeyCode } from "@/lib/payments/wallet/send-passkey-code";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Sends the customer the code that the attach page asks for. */
export const POST = plainRoute(async (_, { link = "" }) => {
  await sendPasskeyCode(link);
  return Response.json({ sent: true });
});
