import { plainRoute } from "@/lib/http/plain-route";
import { NewPasskey, registerPasskey } from "@/lib/payments/agent-payments/register-passkey";
import { readJson } from "@/lib/payments/wallet/read-json";

export const POST = plainRoute(async (request, { link = "" }) => {
  await registerPasskey(link, await readJson(request, NewPasskey));
  return Response.json({ registered: true });
});
