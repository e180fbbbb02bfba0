import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

interface ProviderPerson {
  email: string;
  name: string;
  groups: string[];
}

/** An answer of the provider, before it is sent. */
export interface ProviderAnswer {
  endpoint: "token" | "userinfo" | "other";
  status: number;
  body: unknown;
}

export interface TestOidcProvider {
  url: string;
  /** The people by their `sub`. A person who is deleted can no longer refresh tokens. */
  people: Map<string, ProviderPerson>;
  /** Chooses who signs in at the provider from now on, in any browser. */
  choose(subject: string): void;
  /** The `sid` of a person's last sign-in. */
  sidOf(subject: string): string | undefined;
  /** Signs a person in at the authorization URL. Returns the parameters of the redirect back to the client. */
  authorize(asked: URL, subject: string): Promise<Record<string, string>>;
  /** Changes the provider's answers from now on; null = none. */
  edit(change: ((answer: ProviderAnswer) => unknown) | null): void;
  /** Sends a logout token to the client's back-channel logout URI. */
  logout(subject: string, sid: string): Promise<void>;
  close(): Promise<void>;
}

const ENDPOINTS: Record<string, ProviderAnswer["endpoint"]> = { "/token": "token", "/me": "userinfo" };

interface TestClient {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  logoutUri: string;
}

/**
 * Starts `oidc-provider`, a certified OpenID provider, on loopback. As by its default, the address, the name and the groups
 * are only in the user information. Its refresh tokens are rotated.
 */
export async function startOidcProvider(client: TestClient): Promise<TestOidcProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const signedIn = { subject: "" };
  const sids = new Map<string, string | undefined>();
  const provider = newProvider(url, client, people);
  let change: ((answer: ProviderAnswer) => unknown) | null = null;
  provider.use(async (ctx, next) => {
    await next();
    const endpoint = ENDPOINTS[ctx.path] ?? "other";
    const answer: ProviderAnswer = { endpoint, status: ctx.status, body: ctx.body };
    change?.(answer);
    // In this order, because a body sets the status.
    if (answer.body !== ctx.body) ctx.body = answer.body;
    if (answer.status !== ctx.status) ctx.status = answer.status;
  });
  provider.on("authorization.success", ({ oidc }) => {
    if (oidc.session?.accountId) sids.set(oidc.session.accountId, oidc.session.sidFor(client.clientId));
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: signedIn.subject } });
  });

  return {
    url,
    people,
    choose(subject) {
      signedIn.subject = subject;
    },
    edit(next) {
      change = next;
    },
    sidOf: (subject) => sids.get(subject),
    async authorize(asked, subject) {
      signedIn.subject = subject;
      return followRedirects(asked, client.redirectUri);
    },
    async logout(subject, sid) {
      const found = await provider.Client.find(client.clientId);
      const send = found?.backchannelLogout;
      if (typeof send !== "function") throw new Error("the provider has no such client");
      await send.call(found, subject, sid);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newProvider(url: string, client: TestClient, people: Map<string, ProviderPerson>): Provider {
  return new Provider(url, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        backchannel_logout_uri: client.logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    scopes: ["openid", "offline_access", "email", "profile", "groups"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      // Besides the groups themselves, the shapes in which Microsoft Entra says that there are too many.
      groups: ["groups", "hasgroups", "_claim_names", "_claim_sources"],
    },
    cookies: { keys: ["a key of the test"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // The logout URI of the test is on loopback, which the provider's own fetch rejects.
    fetch: (target, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
      fetch(target, options),
    ttl: { AccessToken: 300, Grant: 3600, IdToken: 300, Interaction: 300, RefreshToken: 3600, Session: 3600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    async findAccount(_, accountId) {
      const person = people.get(accountId);
      if (person === undefined) return undefined;
      const { groups, ...profile } = person;
      const claims = { sub: accountId, ...profile, email_verified: true };
      return { accountId, claims: async (use) => (use === "userinfo" ? { ...claims, groups } : claims) };
    },
    // Every client may have every scope, so that no consent is needed.
    async loadExistingGrant(ctx) {
      const { session, client: asking, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        accountId: session?.accountId ?? "",
        clientId: asking?.clientId ?? "",
      });
      grant.addOIDCScope(String(params?.scope));
      await grant.save();
      return grant;
    },
  });
}

async function followRedirects(asked: URL, redirectUri: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>();
  let next = asked;
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`the provider responded ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
    if (next.href.startsWith(redirectUri)) return Object.fromEntries(next.searchParams);
  }
  throw new Error("the provider redirected too often");
}
