import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Issuer {
  url: string;
  /**
   * Authenticates a user with these claims in the ID token, and in the user information. Returns the parameters of the
   * redirect back to the client.
   */
  authorize(
    asked: URL,
    claims: Record<string, unknown>,
    userInfo?: Record<string, unknown>,
  ): Record<string, string>;
  /** A token with these claims, signed by the issuer. */
  sign(claims: Record<string, unknown>): string;
  /** From now on, the issuer responds with an error instead of its keys. */
  hideKeys(): void;
  close(): Promise<void>;
}

interface Grant {
  userInfo: Record<string, unknown>;
  claims: Record<string, unknown>;
  nonce: string | null;
  challenge: string | null;
}

/**
 * Starts an OpenID Connect provider on loopback: discovery, keys, and a token endpoint that validates the client and
 * PKCE.
 */
export async function startIssuer(clientId: string, clientSecret: string): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let areKeysShown = true;
  const server = createServer(async (request, response) => {
    const body = new URLSearchParams(await text(request));
    const answers: Record<string, () => unknown> = {
      "/.well-known/openid-configuration": () => discovery(url),
      "/keys": () =>
        areKeysShown
          ? { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] }
          : undefined,
      "/token": () => redeem(body, request.headers.authorization),
      "/me": () => grants.get(request.headers.authorization?.replace("Bearer ", "") ?? "")?.userInfo,
    };
    const answer = answers[request.url ?? ""]?.();
    response.writeHead(answer === undefined ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "invalid_grant" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function redeem(body: URLSearchParams, authorization: string | undefined): unknown {
    const expected = Buffer.from(`${clientId}:${encodeURIComponent(clientSecret).replaceAll("%20", "+")}`);
    const grant = grants.get(body.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (authorization !== `Basic ${expected.toString("base64")}` || grant?.challenge !== verifier)
      return undefined;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: clientId, iat: now, exp: now + 60, nonce: grant.nonce, ...grant.claims };
    return { access_token: body.get("code"), token_type: "Bearer", id_token: jwt(claims) };
  }

  function jwt(claims: unknown): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const content = `${part({ alg: "RS256", kid: "1" })}.${part(claims)}`;
    return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`;
  }

  return {
    url,
    authorize({ searchParams }, claims, userInfo = {}) {
      const code = randomUUID();
      grants.set(code, {
        claims,
        userInfo: { sub: claims.sub, ...userInfo },
        nonce: searchParams.get("nonce"),
        challenge: searchParams.get("code_challenge"),
      });
      return { code, state: searchParams.get("state") ?? "" };
    },
    sign: jwt,
    hideKeys() {
      areKeysShown = false;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function discovery(url: string) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/me`,
    jwks_uri: `${url}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
