import { sandboxVault } from "@/lib/adapters/card-providers/registry";
import { fail } from "@/lib/platform/errors";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** A test card, for who holds its token. Outside the request log: this answer is written down nowhere. */
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
