import { backchannelLogout } from "@/lib/identity/sso/backchannel-logout";
import { readBody } from "@/lib/platform/http/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** The size limit of a logout token, which providers sign with up to 4,096 bits. */
const LIMIT_BYTES = 16 * 1024;

export const POST = plainRoute(async (request, _, limit) => {
  const form = new URLSearchParams(await readBody(request, limit));
  await backchannelLogout(form.get("logout_token") ?? "");
  return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
}, LIMIT_BYTES);
