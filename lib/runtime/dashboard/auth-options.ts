import "server-only";
import type { NextAuthOptions, Profile } from "next-auth";
import credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { findSession } from "@/lib/identity/users/find-session";
import { deviceCookie } from "@/lib/identity/users/known-device";
import { recordSignOut } from "@/lib/identity/users/record-sign-out";
import {
  isSecure,
  readSessionToken,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
} from "@/lib/identity/users/session-token";
import { type SignInCookies, signIn, signInWithSso } from "@/lib/identity/users/sign-in";
import type { SignedInUser } from "@/lib/identity/users/user";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { singleSignOnName } from "@/lib/runtime/dashboard/single-sign-on-name";

interface OidcProfile extends Profile {
  email_verified?: boolean;
  /** When the person last entered their credentials, in seconds. */
  auth_time?: number;
}

export interface AuthRequest {
  cookie(name: string): string | undefined;
  /** Called with the user who has signed in. */
  onSignedIn?(user: SignedInUser): unknown;
}

/** The sign-in methods: email and password, and single sign-on when OIDC_ISSUER is set. */
export function authOptions(request: AuthRequest): NextAuthOptions {
  let signedIn: SignedInUser | null = null;
  function note(user: SignedInUser | null): SignedInUser | null {
    signedIn = user;
    if (user !== null) request.onSignedIn?.(user);
    return user;
  }

  return {
    providers: [passwordProvider(request, note), ...oidcProviders()],
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: sessionSeconds() },
    useSecureCookies: isSecure(),
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    callbacks: {
      // Single sign-on admits only users that an admin created, and only by a verified email address.
      async signIn({ account, profile }) {
        if (account?.type !== "oauth") return true;
        const { email, email_verified, auth_time } = (profile ?? {}) as OidcProfile;
        if (!email || email_verified !== true) return "/sign-in?error=unverified";
        const authTime = typeof auth_time === "number" ? new Date(auth_time * 1000) : null;
        const user = note(await signInWithSso(email, { ...(await cookiesOf(request)), authTime }));
        return user === null ? "/sign-in?error=unknown" : true;
      },
      // The cookie contains only the secret of the session's row. Without its row, the cookie is not renewed.
      async jwt({ token }) {
        if (signedIn !== null) return { session: signedIn.sessionToken };
        if ((await findSession(request.cookie)) === null) throw new Error("the session has ended");
        return token;
      },
    },
    events: {
      async signOut() {
        const session = await findSession(request.cookie);
        if (session !== null) await recordSignOut(session.id, session.user);
      },
    },
    logger: {
      error(code, detail) {
        if (code === "JWT_SESSION_ERROR") return log.debug({ code }, "an expired session was rejected");
        log.error({ code, err: detail }, "sign-in failed unexpectedly");
      },
      warn: (code) => log.debug({ code }, "sign-in warning"),
      debug: () => undefined,
    },
  };
}

async function cookiesOf({ cookie }: AuthRequest): Promise<SignInCookies> {
  return {
    device: cookie(deviceCookie().name),
    session: await readSessionToken(cookie(sessionCookie().name)),
  };
}

// An error thrown by `authorize` reaches the form as the error's text: "locked:<seconds>".
function passwordProvider(request: AuthRequest, note: (user: SignedInUser) => SignedInUser | null) {
  return credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given) {
      const result = await signIn(given?.email ?? "", given?.password ?? "", await cookiesOf(request));
      if (result.outcome === "locked") throw new Error(`locked:${result.retryAfterSeconds}`);
      return result.outcome === "signed_in" ? note(result.user) : null;
    },
  });
}

function oidcProviders(): OAuthConfig<OidcProfile>[] {
  const name = singleSignOnName();
  const { OIDC_ISSUER = "", OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  if (name === null) return [];
  return [
    {
      id: "oidc",
      name,
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
