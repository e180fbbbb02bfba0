import "server-only";
import { endSession } from "@/lib/identity/sessions/end-sessions";
import { findSession } from "@/lib/identity/sessions/find-session";
import { recordSignOut } from "@/lib/identity/sessions/record-sign-out";
import { sessionCookie } from "@/lib/identity/sessions/session-token";
import { sql } from "@/lib/platform/database/db";
import type { Guarded } from "@/lib/platform/rights/right";
import { log } from "@/lib/platform/telemetry/log";
import { requireSameOrigin } from "@/lib/runtime/http/authenticate-session";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";
import { plainRoute } from "@/lib/runtime/http/plain-route";
import { serializeCookie } from "@/lib/runtime/http/serialize-cookie";

const guard: Guarded = { right: "signed_in" };

const route = plainRoute(async (request) => {
  requireSameOrigin(request);
  const cookies = parseCookies(request.headers.get("cookie"));
  await endCurrentSession((name) => cookies.get(name)).catch((error: unknown) =>
    log.error({ err: error }, "a session was not ended"),
  );
  const { name, options } = sessionCookie();
  const headers = { "set-cookie": serializeCookie(name, "", { ...options, maxAge: 0 }) };
  return new Response(null, { status: 204, headers });
});

/**
 * The route that ends the session of this browser, with or without an account. It clears the cookie even when no user
 * is signed in or the database is unavailable. Errors: access_denied (a cross-site request).
 */
export const signOut = Object.assign(route, { contract: guard });

async function endCurrentSession(cookie: (name: string) => string | undefined): Promise<void> {
  const session = await findSession(cookie);
  if (session === null) return;
  try {
    await recordSignOut(session.id, session.user);
  } catch (error) {
    // If the event cannot be stored, the session ends without it, because the user asked to sign out.
    await endSession(sql, session.user.id, session.id);
    throw error;
  }
}
