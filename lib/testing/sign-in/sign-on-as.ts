import type { SignInCookies } from "@/lib/identity/sign-in/admit-user";
import type { SsoPerson } from "@/lib/identity/sso/read-claims";
import { type SsoSignIn, signInWithSso } from "@/lib/identity/sso/sign-in-with-sso";

/** Signs in by single sign-on with a verified address. Without `subject`, the address has an account of its own. */
export function signOnAs(
  email: string,
  person: Partial<SsoPerson> = {},
  cookies: SignInCookies = {},
): Promise<SsoSignIn> {
  const described = {
    issuer: "https://id.example.com",
    subject: `sub of ${email}`,
    email,
    problem: null,
    name: email,
    sid: null,
    authTime: null,
    claims: {},
    ...person,
  };
  return signInWithSso(described, { groups: [], refreshToken: null }, cookies);
}
