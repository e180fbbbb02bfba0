import "server-only";
import { env } from "@/lib/platform/env";

/** The name of the organization's single sign-on, such as "Okta"; null when the instance has none. */
export function singleSignOnName(): string | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME } = env();
  return OIDC_ISSUER && OIDC_CLIENT_ID ? OIDC_NAME : null;
}
