import "server-only";
import type { Account, NextAuthOptions, Profile } from "next-auth";
import credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { signInWithPasskey } from "@/lib/identity/passkeys/sign-in-with-passkey";
import { findSession } from "@/lib/identity/sessions/find-session";
import { deviceCookie } from "@/lib/identity/sessions/known-device";
import { recordSignOut } from "@/lib/identity/sessions/record-sign-out";
import {
  isSecure,
  readSessionToken,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
} from "@/lib/identity/sessions/session-token";
import type { SignInCookies } from "@/lib/identity/sign-in/admit-user";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { readClaims } from "@/lib/identity/sso/read-claims";
import { AT_SIGN_ON, readGroups } from "@/lib/identity/sso/read-groups";
import { type SsoRefusal, signInWithSso } from "@/lib/identity/sso/sign-in-with-sso";
import type { SignedInUser } from "@/lib/identity/users/user";
import { PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { flowCookies } from "@/lib/runtime/sign-in/sso-flow";

export interface AuthRequest {
  cookie(name: string): string | undefined;
  /** The single sign-on that the request begins or completes (`flowOf`). */
  flow?: string | null;
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
    cookies: {
      sessionToken: sessionCookie(),
      ...(request.flow == null ? {} : flowCookies(request.flow)),
    },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    callbacks: {
      // An error that is thrown here would reach the URL with its text.
      async signIn({ account, profile }) {
        if (account?.type !== "oauth") return true;
        const result = await singleSignOn(request, account, { ...profile });
        if (typeof result === "string") return `/sign-in?error=${result}`;
        note(result);
        return true;
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

/** Signs in with the tokens of the identity provider. Returns the signed-in user, or why there is none. */
async function singleSignOn(
  request: AuthRequest,
  { access_token: accessToken, refresh_token: refreshToken }: Account,
  idToken: Record<string, unknown>,
): Promise<SignedInUser | SsoRefusal | "provider" | "failed"> {
  const person = await readClaims(idToken, accessToken).catch(reportProvider);
  if (person === undefined) return "provider";
  if (person === null) return "invalid";
  try {
    // Without an answer the groups are unknown, and memberships stay as they are.
    const groups = (await readGroups(person.claims, accessToken, AT_SIGN_ON).catch(reportProvider)) ?? null;
    const result = await signInWithSso(
      person,
      { groups, refreshToken: refreshToken ?? null },
      await cookiesOf(request),
    );
    return result.outcome === "signed_in" ? result.user : result.reason;
  } catch (error) {
    log.error({ err: error }, "a single sign-on failed");
    return "failed";
  }
}

function reportProvider(error: unknown): undefined {
  log.warn({ err: error }, "the identity provider could not be asked about a person");
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

function oidcProviders(): OAuthConfig<Profile>[] {
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
      // The library uses nothing else, and fails on a claim that is no text.
      profile: ({ sub }) => ({ id: String(sub) }),
    },
  ];
}
