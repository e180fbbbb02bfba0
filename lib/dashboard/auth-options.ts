import "server-only";
import type { NextAuthOptions, Profile } from "next-auth";
import credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { isSecure, SESSION_SECONDS, sessionCookie, sessionSecret } from "@/lib/users/session-token";
import { signIn, signInVouchedFor } from "@/lib/users/sign-in";

interface OidcProfile extends Profile {
  email_verified?: boolean;
}

/** How people sign in: e-mail and password, and the organization's own sign-on when OIDC_ISSUER is set. */
export function authOptions(): NextAuthOptions {
  return {
    providers: [passwordProvider(), ...oidcProviders()],
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: isSecure(),
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    callbacks: {
      // Single sign-on opens the door only to users an admin has made, and only by an e-mail it has verified.
      async signIn({ account, profile }) {
        if (account?.type !== "oauth") return true;
        const { email, email_verified } = (profile ?? {}) as OidcProfile;
        if (!email || email_verified !== true) return "/sign-in?error=unverified";
        return (await signInVouchedFor(email)) === null ? "/sign-in?error=unknown" : true;
      },
      async jwt({ token, user }) {
        if (!user?.email) return token;
        const { id, sessionVersion } = await prisma().user.findUniqueOrThrow({
          where: { email: user.email.toLowerCase() },
          select: { id: true, sessionVersion: true },
        });
        return { sub: id, version: sessionVersion };
      },
    },
    logger: {
      error: (code, detail) => log.error({ code, err: detail }, "sign-in failed unexpectedly"),
      warn: (code) => log.debug({ code }, "sign-in warning"),
      debug: () => undefined,
    },
  };
}

// What `authorize` throws reaches the form as the error's text: "locked:<seconds>".
function passwordProvider() {
  return credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given) {
      const result = await signIn(given?.email ?? "", given?.password ?? "");
      if (result.outcome === "locked") throw new Error(`locked:${result.retryAfterSeconds}`);
      return result.outcome === "signed_in" ? result.user : null;
    },
  });
}

function oidcProviders(): OAuthConfig<OidcProfile>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) return [];
  return [
    {
      id: "oidc",
      name: OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      profile: ({ sub = "", name, email }) => ({ id: sub, name, email }),
    },
  ];
}
