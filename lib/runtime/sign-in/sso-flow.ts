import "server-only";
import { isSecure, sessionSecret } from "@/lib/identity/sessions/session-token";
import { secretBytes } from "@/lib/platform/ids";

/**
 * The cookies with which the auth library recognizes the identity provider's answer. Each sign-in has its own, so that two
 * tabs of a browser don't replace each other's. Browsers delete them after 15 minutes.
 */
export function flowCookies(flow: string) {
  const options = { httpOnly: true, sameSite: "lax", path: "/api/auth", secure: isSecure() } as const;
  return {
    state: { name: nameOf("state", flow), options },
    nonce: { name: nameOf("nonce", flow), options },
    pkceCodeVerifier: { name: nameOf("pkce", flow), options },
  };
}

/**
 * The flow of a request: a new one for a request that begins a sign-in with the identity provider, and for the provider's
 * answer the one with its `state`. null for other requests, and for an answer that this browser did not ask for.
 */
export async function flowOf(
  request: Request,
  cookies: readonly { name: string; value: string }[],
): Promise<string | null> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname.endsWith("/api/auth/signin/oidc")) return secretBytes(6).toString("hex");
  const state = searchParams.get("state");
  if (!pathname.endsWith("/api/auth/callback/oidc") || state === null) return null;
  // Loaded here, as in session-token.ts.
  const { decode } = await import("next-auth/jwt");
  const prefix = nameOf("state", "");
  for (const { name, value } of cookies) {
    if (!name.startsWith(prefix)) continue;
    const claims = await decode({ token: value, secret: sessionSecret(), salt: name }).catch(() => null);
    if (claims?.value === state) return name.slice(prefix.length);
  }
  return null;
}

function nameOf(part: string, flow: string): string {
  return `${isSecure() ? "__Secure-" : ""}trunkline_sso_${part}.${flow}`;
}
