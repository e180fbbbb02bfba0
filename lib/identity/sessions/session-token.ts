import "server-only";
import { z } from "zod";
import { deriveSecret } from "@/lib/platform/crypto/crypto";
import { dashboardUrl, env } from "@/lib/platform/env";

/**
 * The content of the cookie's token: the secret of the session's row. Only the row determines whether the session is
 * valid.
 */
const SessionClaims = z.object({ session: z.string().min(1) });

/** Time that browsers keep the cookie. */
export function sessionSeconds(): number {
  return env().SESSION_HOURS * 60 * 60;
}

/** The session cookie. With an https URL, browsers send it only over TLS. */
export function sessionCookie() {
  const secure = isSecure();
  return {
    name: secure ? "__Secure-trunkline_session" : "trunkline_session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure },
  } as const;
}

export function isSecure(): boolean {
  return dashboardUrl().startsWith("https://");
}

/** The key that seals session cookies, derived from ENCRYPTION_KEY. */
export function sessionSecret(): string {
  return deriveSecret("dashboard session");
}

/** The session's secret in a cookie; null for a cookie that is missing, expired or not created by Trunkline. */
export async function readSessionToken(token: string | undefined): Promise<string | null> {
  if (token === undefined || token === "") return null;
  // Loaded here, because processes that serve no dashboard never need it.
  const { decode } = await import("next-auth/jwt");
  const claims = await decode({ token, secret: sessionSecret() }).catch(() => null);
  const parsed = SessionClaims.safeParse(claims);
  return parsed.success ? parsed.data.session : null;
}
