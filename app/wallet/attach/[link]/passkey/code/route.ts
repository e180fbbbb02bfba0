import { plainRoute } from "@/lib/http/plain-route";
import { sendPasskeyCode } from "@/lib/payments/agent-payments/send-passkey-code";

/** Sends the customer the code that the attach page asks for. */
export const POST = plainRoute(async (_, { link = "" }) => {
  await sendPasskeyCode(link);
  return Response.json({ sent: true });
});
