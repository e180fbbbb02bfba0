import { SetFirstPassword, setFirstPassword } from "@/lib/identity/users/set-first-password";
import { BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { readBody } from "@/lib/platform/read-body";
import { parseInput } from "@/lib/runtime/http/parse-input";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, params) => {
  const { url, headers } = request;
  const text = await readBody(request, { limitBytes: BODY_LIMIT_BYTES });
  return Response.json(await setFirstPassword(parseInput(SetFirstPassword, { url, params, headers, text })));
});
