import { PASSKEY_LIMIT_BYTES, readJson } from "@/lib/payments/wallet/read-json";
import { registerPasskey } from "@/lib/payments/wallet/register-passkey";
import { NewPasskey } from "@/lib/platform/crypto/passkey-response";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, { link = "" }, limit) => {
  await registerPasskey(link, await readJson(request, NewPasskey, limit));
  return Response.json({ registered: true });
}, PASSKEY_LIMIT_BYTES);
