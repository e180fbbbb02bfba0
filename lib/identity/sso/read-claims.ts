import "server-only";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { EmailAddress } from "@/lib/identity/users/user";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";

type Claims = Readonly<Record<string, unknown>>;

/** Why a sign-on can't be accepted as it is. */
type ClaimsProblem = "no_email" | "unverified" | "invalid";

/** A person as the identity provider describes them. */
export interface SsoPerson {
  /** The claims `iss` and `sub`. */
  issuer: string;
  subject: string;
  /** Normalized by `EmailAddress`; null where the provider names none, or one that it has not verified. */
  email: string | null;
  /** Why `email` is null. */
  problem: ClaimsProblem | null;
  name: string;
  sid: string | null;
  /** When the person last entered credentials at the provider. */
  authTime: Date | null;
  /** All claims, for the groups. */
  claims: Claims;
}

const MAX_NAME = 100;
/** OpenID Connect Core 2 allows 255 characters in `sub`. */
const MAX_SUBJECT = 255;
/** The latest time of a `timestamptz` that JavaScript can express, in seconds. */
const MAX_SECONDS = 8.64e12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no U+0000
const CONTROL = /[\u0000-\u001f\u007f]/g;

/**
 * Reads the claims of an ID token. What it lacks is read from the provider's user information, where many providers put
 * the address and the name (OpenID Connect Core 5.4). Returns null when the token names no usable account. Throws if the
 * provider does not respond.
 */
export async function readClaims(
  idToken: Claims,
  accessToken: string | undefined,
): Promise<SsoPerson | null> {
  const { iss, sub } = idToken;
  if (typeof iss !== "string" || typeof sub !== "string") return null;
  if (sub === "" || sub.length > MAX_SUBJECT || sub.search(CONTROL) !== -1) return null;
  const more = isComplete(idToken) ? {} : await readUserInfo(sub, accessToken);
  const address = addressOf(idToken, more);
  const claims = { ...more, ...idToken };
  return {
    issuer: iss,
    subject: sub,
    ...address,
    name: nameOf(claims) ?? address.email ?? "",
    sid: textOf(claims.sid, MAX_SUBJECT),
    authTime: timeOf(idToken.auth_time),
    claims,
  };
}

function isComplete({ email, email_verified }: Claims): boolean {
  return email !== undefined && (email_verified !== undefined || env().SSO_TRUST_EMAIL);
}

// A response about another person must not be used (OpenID Connect Core 5.3.2).
async function readUserInfo(subject: string, accessToken: string | undefined): Promise<Claims> {
  if (accessToken === undefined) return {};
  const { client } = await oidcProvider();
  if (client.issuer.metadata.userinfo_endpoint === undefined) return {};
  const found: Claims = await client.userinfo(accessToken);
  if (found.sub === subject) return found;
  log.warn({}, "the user information of the identity provider is about another person and was not used");
  return {};
}

// An address and whether it was verified come from one source, so that neither is paired with the other's.
function addressOf(idToken: Claims, userInfo: Claims): Pick<SsoPerson, "email" | "problem"> {
  const source = [idToken, userInfo].find((claims) => claims.email !== undefined && isVerified(claims));
  const named = source ?? [idToken, userInfo].find((claims) => claims.email !== undefined);
  if (named === undefined) return { email: null, problem: "no_email" };
  const address = EmailAddress.safeParse(named.email);
  if (!address.success) return { email: null, problem: "invalid" };
  if (source === undefined) return { email: null, problem: "unverified" };
  return { email: address.data, problem: null };
}

// Some providers send the text "true". With SSO_TRUST_EMAIL, a provider that says nothing is trusted, such as Microsoft
// Entra; one that says no never is.
function isVerified({ email_verified }: Claims): boolean {
  if (email_verified === undefined) return env().SSO_TRUST_EMAIL;
  return email_verified === true || email_verified === "true";
}

/** The name for display. `preferred_username` and `upn` may change hands, and are never used as an address. */
function nameOf({ name, preferred_username, upn }: Claims): string | null {
  for (const each of [name, preferred_username, upn]) {
    if (typeof each !== "string") continue;
    const clean = [...each.toWellFormed().replaceAll(CONTROL, "").trim()].slice(0, MAX_NAME).join("");
    if (clean !== "") return clean;
  }
  return null;
}

function textOf(value: unknown, max: number): string | null {
  if (typeof value !== "string" || value.length > max || value.search(CONTROL) !== -1) return null;
  return value;
}

function timeOf(seconds: unknown): Date | null {
  if (typeof seconds !== "number" || !(Math.abs(seconds) <= MAX_SECONDS)) return null;
  return new Date(seconds * 1000);
}
