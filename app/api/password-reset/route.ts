import { RequestPasswordReset, requestPasswordReset } from "@/lib/identity/passwords/request-password-reset";
import { readBody } from "@/lib/platform/http/read-body";
import { parseInput } from "@/lib/runtime/http/parse-input";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, params, limit) => {
  const { url, headers } = request;
  const text = await readBody(request, limit);
  await requestPasswordReset(parseInput(RequestPasswordReset, { url, params, headers, text }));
  return new Response(null, { status: 204 });
});
