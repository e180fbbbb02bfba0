import "@/lib/testing/use-test-database";
import { encode } from "next-auth/jwt";
import { beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { setPassword } from "@/lib/identity/passwords/set-password";
import { createUser } from "@/lib/identity/people/create-user";
import { openSession } from "@/lib/identity/sessions/open-session";
import { sessionCookie, sessionSeconds, sessionSecret } from "@/lib/identity/sessions/session-token";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { sql, transaction } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { setClock } from "@/lib/platform/time/clock";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";

const ORIGIN = "http://trunkline.test";
let userId: string;
let first: string;
let second: string;
let foreign: string;

beforeAll(async () => {
  const partner = await createPartner("Ours");
  first = (await createAccount(partner.id, "sandbox", "sandbox")).id;
  second = (await createAccount(partner.id, "production", "production")).id;
  foreign = (await createAccount((await createPartner("Theirs")).id, "theirs", "production")).id;
  ({ userId } = await createUser({
    partnerId: partner.id,
    email: "ada@example.com",
    name: "Ada",
    role: "support",
  }));
});

interface RequestOptions {
  method?: string;
  origin?: string;
  account?: string;
  /** The secret of a session; without it a new session is opened. */
  session?: string;
  secret?: string;
  maxAge?: number;
}

function open(): Promise<string> {
  return transaction((tx) => openSession(tx, { userId, method: "password" }));
}

async function ask(asked: RequestOptions = {}): Promise<Request> {
  const token = await encode({
    token: { session: asked.session ?? (await open()) },
    secret: asked.secret ?? sessionSecret(),
    maxAge: asked.maxAge ?? sessionSeconds(),
  });
  const account = asked.account === undefined ? "" : `; trunkline_account=${asked.account}`;
  return new Request(`${ORIGIN}/api/tokens`, {
    method: asked.method ?? "GET",
    headers: {
      cookie: `other=1; ${sessionCookie().name}=${token}${account}`,
      ...(asked.origin === undefined ? {} : { origin: asked.origin }),
    },
  });
}

/** Returns the error code of a rejected request, or null when the request is authorized. */
async function codeOf(request: Request): Promise<number | null> {
  try {
    await authenticateSession(request);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.row.code;
    throw error;
  }
}

test("a session is its user's, in the first account unless the cookie names another of theirs", async () => {
  expect(await authenticateSession(await ask())).toMatchObject({
    account: { id: first, type: "sandbox" },
    actor: { type: "user", userId, role: "support" },
  });
  expect((await authenticateSession(await ask({ account: second }))).account.id).toBe(second);
  expect((await authenticateSession(await ask({ account: foreign }))).account.id).toBe(first);
});

test("without a session, with a forged or an expired one the answer is 2004", async () => {
  expect(await codeOf(new Request(`${ORIGIN}/api/tokens`))).toBe(2004);
  expect(await codeOf(await ask({ secret: "another secret" }))).toBe(2004);
  expect(await codeOf(await ask({ maxAge: -60 }))).toBe(2004);
  expect(await codeOf(await ask({ session: "unknown" }))).toBe(2004);
});

test("an API token is no session", async () => {
  const session = (await ask()).headers.get("cookie")?.split("=").at(-1);
  const request = new Request(`${ORIGIN}/api/tokens`, { headers: { authorization: `Bearer ${session}` } });

  expect(await codeOf(request)).toBe(2004);
});

test("a write must come from our own pages", async () => {
  expect(await codeOf(await ask({ method: "POST", origin: ORIGIN }))).toBeNull();
  expect(await codeOf(await ask({ method: "POST" }))).toBe(2005);
  expect(await codeOf(await ask({ method: "POST", origin: "https://elsewhere.example" }))).toBe(2005);
  expect(await codeOf(await ask({ method: "DELETE", origin: "null" }))).toBe(2005);
});

test("a write that waited in a browser is accepted only for its user in its account", async () => {
  const by = async (sender: string, account: string) => {
    const request = await ask({ method: "POST", origin: ORIGIN, account });
    request.headers.set("x-sender", encodeURIComponent(sender));
    return authenticateSession(request).then(
      () => null,
      ({ row }) => [row.status, row.code],
    );
  };
  expect(await by(`${first} ada@example.com`, first)).toBeNull();
  expect(await by(`${first} ada@example.com`, second)).toEqual([409, 2005]);
  expect(await by(`${first} bob@example.com`, first)).toEqual([409, 2005]);
});

test("a new password ends the sessions made before it", async () => {
  const session = await open();
  expect(await codeOf(await ask({ session }))).toBeNull();

  await transaction(async (tx) => setPassword(tx, userId, await hashPassword("a new long password")));

  expect(await codeOf(await ask({ session }))).toBe(2004);
  expect(await codeOf(await ask())).toBeNull();
});

test("a page on the host that was asked is ours, with the scheme of the dashboard's URL", async () => {
  const request = async (origin: string) => {
    const { headers } = await ask({ method: "POST", origin });
    headers.set("host", "other-name.test:8080");
    return new Request(`${ORIGIN}/api/tokens`, { method: "POST", headers });
  };

  expect(await codeOf(await request("http://other-name.test:8080"))).toBeNull();
  expect(await codeOf(await request("https://other-name.test:8080"))).toBe(2005);
  expect(await codeOf(await request("http://third-name.test:8080"))).toBe(2005);
});

test("a write without an origin is refused although no host was sent", async () => {
  const { headers } = await ask({ method: "POST" });
  headers.delete("host");
  expect(await codeOf(new Request(`${ORIGIN}/api/tokens`, { method: "POST", headers }))).toBe(2005);
});

test("a user without any account gets an error that advises to ask for an invitation", async () => {
  const partner = await createPartner("Empty");
  const { userId: alone } = await createUser({
    partnerId: partner.id,
    email: "grace@example.com",
    name: "Grace",
    role: "admin",
  });
  const session = await transaction((tx) => openSession(tx, { userId: alone, method: "password" }));

  await expect(authenticateSession(await ask({ session }))).rejects.toMatchObject({
    errorName: "access_denied",
    message: expect.stringContaining("ask an admin to invite you"),
  });
});

test("a page of the same host but another scheme or port is not ours", async () => {
  expect(await codeOf(await ask({ method: "POST", origin: ORIGIN.replace("http:", "https:") }))).toBe(2005);
  expect(await codeOf(await ask({ method: "POST", origin: `${ORIGIN}:8443` }))).toBe(2005);
});

test("an account works until the moment it expires", async () => {
  const moment = new Date("2030-05-01T12:00:00Z");
  await sql.runText({ text: "update accounts set expires_at = $2 where id = $1", values: [second, moment] });
  const write = { account: second, origin: ORIGIN, method: "POST", maxAge: 10 * 365 * 86_400 };
  const codes = [];
  for (const frozenAt of [new Date(moment.getTime() - 1), moment]) {
    const request = await ask(write);
    setClock({ offsetMs: 0, frozenAt });
    codes.push(await codeOf(request));
    setClock(null);
  }
  expect(codes).toEqual([null, 2005]);
});

test("once an account has expired its people can read it and sign out, and change nothing of it", async () => {
  await sql.runText({
    text: "update accounts set expires_at = now() - interval '1 minute' where id = $1",
    values: [second],
  });
  const at = { account: second, origin: ORIGIN };

  expect(await codeOf(await ask({ ...at, method: "GET" }))).toBeNull();
  expect(await codeOf(await ask({ ...at, method: "POST" }))).toBe(2005);
  const signOut = await ask({ ...at, method: "DELETE" });
  expect(await codeOf(new Request(`${ORIGIN}/api/sessions`, signOut))).toBeNull();
});
