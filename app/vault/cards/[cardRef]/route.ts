import { sandboxVault } from "@/lib/adapters/card-providers/registry";
import { fail } from "@/lib/platform/errors/errors";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Returns a test card to the holder of its token. Not in the request log, so that the response is never stored. */
export const GET = plainRoute(async (request, { cardRef = "" }) => {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const card = await sandboxVault.reveal(cardRef, token);
  if (card === null) {
    fail(
      "unauthorized",
      "the token does not match this card or has expired: get the payment's credentials again",
    );
  }
  return Response.json(card, { headers: { "cache-control": "no-store" } });
});
