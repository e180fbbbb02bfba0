import { plainRoute } from "@/lib/http/plain-route";
import { PasskeyCode, passkeyOptions } from "@/lib/payments/agent-payments/register-passkey";
import { readJson } from "@/lib/payments/wallet/read-json";

export const POST = plainRoute(async (request, { link = "" }) => {
  const { code } = await readJson(request, PasskeyCode);
  return Response.json(await passkeyOptions(link, code));
});
