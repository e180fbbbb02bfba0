import { registerPasskey } from "@/lib/payments/agent-payments/register-passkey";
import { readJson } from "@/lib/payments/wallet/read-json";
import { NewPasskey } from "@/lib/platform/passkey-response";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, { link = "" }) => {
  await registerPasskey(link, await readJson(request, NewPasskey));
  return Response.json({ registered: true });
});
