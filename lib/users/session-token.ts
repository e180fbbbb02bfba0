import "server-only";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { deriveSecret } from "@/lib/platform/crypto";
import { dashboardUrl } from "@/lib/platform/env";

export const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** Which user a session is of, and the version of the user's sessions it was made for. */
const SessionClaims = z
  .object({ sub: z.uuid(), version: z.int() })
  .transform(({ sub, version }) => ({ userId: sub, sessionVersion: version }));

export type SessionClaims = z.output<typeof SessionClaims>;

/** The cookie of the session. With an https address browsers send it over nothing else. */
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

/** What sessions are sealed with: it follows ENCRYPTION_KEY. */
export function sessionSecret(): string {
  return deriveSecret("dashboard session");
}

/** What a session cookie says; null for none, one that has expired or one this service did not make. */
export async function readSessionToken(token: string | undefined): Promise<SessionClaims | null> {
  if (token === undefined || token === "") return null;
  const claims = await decode({ token, secret: sessionSecret() }).catch(() => null);
  const parsed = SessionClaims.safeParse(claims);
  return parsed.success ? parsed.data : null;
}
