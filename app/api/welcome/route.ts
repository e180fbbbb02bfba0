import { SetFirstPassword, setFirstPassword } from "@/lib/identity/people/set-first-password";
import { readBody } from "@/lib/platform/http/read-body";
import { parseInput } from "@/lib/runtime/http/parse-input";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const POST = plainRoute(async (request, params, limit) => {
  const { url, headers } = request;
  const text = await readBody(request, limit);
  return Response.json(await setFirstPassword(parseInput(SetFirstPassword, { url, params, headers, text })));
});
