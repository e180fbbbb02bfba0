import "server-only";
import type { Account, NextAuthOptions, Profile } from "next-auth";
import credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { signInWithPasskey } from "@/lib/identity/passkeys/sign-in-with-passkey";
import { readGroups } from "@/lib/identity/sso/read-groups";
import { singleSignOnName } from "@/lib/identity/sso/single-sign-on-name";
import type { SsoIdentity } from "@/lib/identity/sso/sso-session";
import type { SignInCookies } from "@/lib/identity/users/admit-user";
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
import { signIn, signInWithSso } from "@/lib/identity/users/sign-in";
import type { SignedInUser } from "@/lib/identity/users/user";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { PasskeyAssertion } from "@/lib/platform/passkey-response";

interface OidcProfile extends Profile {
  email_verified?: boolean;
  /** When the person last entered their credentials, in seconds. */
  auth_time?: number;
  /** The provider's session. */
  sid?: string;
}

const MAX_NAME = 100;

export interface AuthRequest {
  cookie(name: string): string | undefined;
  /** Called with the user who has signed in. */
  onSignedIn?(user: SignedInUser): unknown;
}

/** The sign-in methods: email and password, passkeys, and single sign-on when OIDC_ISSUER is set. */
export function authOptions(request: AuthRequest): NextAuthOptions {
  let signedIn: SignedInUser | null = null;
  function note(user: SignedInUser | null): SignedInUser | null {
    signedIn = user;
    if (user !== null) request.onSignedIn?.(user);
    return user;
  }

  return {
    providers: [passwordProvider(request, note), passkeyProvider(request, note), ...oidcProviders()],
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
        const identity = await identityOf(profile as OidcProfile, account);
        const user = note(await signInWithSso(email, { ...(await cookiesOf(request)), authTime, identity }));
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

async function identityOf(profile: OidcProfile, account: Account): Promise<SsoIdentity> {
  const { sub, sid, name, email } = profile;
  return {
    name: (name ?? email ?? "").slice(0, MAX_NAME),
    groups: await readGroups({ ...profile }, account.access_token),
    subject: sub ?? account.providerAccountId,
    sid: typeof sid === "string" ? sid : null,
    refreshToken: account.refresh_token ?? null,
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
      if (result.outcome === "sso_required") throw new Error("sso_required");
      return result.outcome === "signed_in" ? note(result.user) : null;
    },
  });
}

// As for passwords. "unknown" is a passkey that no person has, for example because it was removed.
function passkeyProvider(request: AuthRequest, note: (user: SignedInUser) => SignedInUser | null) {
  return credentials({
    id: "passkey",
    credentials: { assertion: {} },
    async authorize(given) {
      const assertion = readAssertion(given?.assertion ?? "");
      if (assertion === null) return null;
      const result = await signInWithPasskey(assertion, await cookiesOf(request));
      if (result.outcome === "locked") throw new Error(`locked:${result.retryAfterSeconds}`);
      if (result.outcome === "signed_in") return note(result.user);
      throw new Error(result.outcome === "refused" ? result.reason : result.outcome);
    },
  });
}

function readAssertion(text: string): PasskeyAssertion | null {
  try {
    return PasskeyAssertion.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function oidcProviders(): OAuthConfig<OidcProfile>[] {
  const name = singleSignOnName();
  const { OIDC_ISSUER = "", OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_SCOPE } = env();
  if (name === null) return [];
  return [
    {
      id: "oidc",
      name,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      authorization: { params: { scope: OIDC_SCOPE } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      profile: ({ sub = "", name, email }) => ({ id: sub, name, email }),
    },
  ];
}
