import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { plainRoute } from "@/lib/runtime/http/plain-route";

/** Verifies to Apple Pay that this host accepts payments (APPLE_PAY_DOMAIN_ASSOCIATION). */
export const GET = plainRoute(async () => {
  const association = env().APPLE_PAY_DOMAIN_ASSOCIATION;
  if (association === undefined)
    fail("route_unknown", "Apple Pay is not configured: set APPLE_PAY_DOMAIN_ASSOCIATION");
  return new Response(association, { headers: { "content-type": "text/plain; charset=utf-8" } });
});
