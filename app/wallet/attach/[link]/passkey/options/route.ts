import { readJson } from "@/lib/payments/wallet/read-json";
import { PasskeyCode, passkeyOptions } from "@/lib/payments/wallet/register-passkey";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, { link = "" }, limit) => {
  const { code } = await readJson(request, PasskeyCode, limit);
  return Response.json(await passkeyOptions(link, code));
});
