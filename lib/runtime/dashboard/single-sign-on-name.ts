import "server-only";
import { env } from "@/lib/platform/env";

/** What the organization's own sign-on is called, as in "Okta"; null when the instance has none. */
export function singleSignOnName(): string | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME } = env();
  return OIDC_ISSUER && OIDC_CLIENT_ID ? OIDC_NAME : null;
}
