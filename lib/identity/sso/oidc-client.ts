import "server-only";
import type { JWTVerifyGetKey } from "jose";
import type { Client } from "openid-client";
import { env, memoizePerEnv } from "@/lib/platform/env";

export interface OidcProvider {
  issuer: string;
  clientId: string;
  client: Client;
  /** The provider's signing keys, loaded when needed. */
  keys: JWTVerifyGetKey;
}

// A failed discovery is not kept: the next caller asks again.
const memoized = memoizePerEnv(() => ({ found: undefined as Promise<OidcProvider> | undefined }));

/** The identity provider of the instance. Throws if OIDC_ISSUER is not set or the provider does not respond. */
export function oidcProvider(): Promise<OidcProvider> {
  const cache = memoized();
  cache.found ??= discover().catch((error: unknown) => {
    cache.found = undefined;
    throw error;
  });
  return cache.found;
}

async function discover(): Promise<OidcProvider> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = "" } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) throw new Error("OIDC_ISSUER and OIDC_CLIENT_ID are not set");
  // Loaded here, because instances without single sign-on never need them.
  const [{ createRemoteJWKSet }, { Issuer }] = await Promise.all([import("jose"), import("openid-client")]);
  const found = await Issuer.discover(OIDC_ISSUER);
  const { issuer, jwks_uri } = found.metadata;
  if (jwks_uri === undefined) throw new Error(`the provider ${issuer} publishes no keys (jwks_uri)`);
  const client = new found.Client({ client_id: OIDC_CLIENT_ID, client_secret: OIDC_CLIENT_SECRET });
  return { issuer, clientId: OIDC_CLIENT_ID, client, keys: createRemoteJWKSet(new URL(jwks_uri)) };
}
