import { backchannelLogout } from "@/lib/identity/sso/backchannel-logout";
import { readBody } from "@/lib/platform/read-body";
import { plainRoute } from "@/lib/runtime/http/plain-route";

const LIMIT_BYTES = 64 * 1024;

export const POST = plainRoute(async (request) => {
  const form = new URLSearchParams(await readBody(request, { limitBytes: LIMIT_BYTES }));
  await backchannelLogout(form.get("logout_token") ?? "");
  return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
});
