import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST } from "@/app/api/backchannel-logout/route";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { createUser } from "@/lib/identity/people/create-user";
import { backchannelLogout } from "@/lib/identity/sso/backchannel-logout";
import { prisma } from "@/lib/platform/database/db";
import { type Issuer, startIssuer } from "@/lib/testing/sign-in/oidc-issuer";
import { signOnAs } from "@/lib/testing/sign-in/sign-on-as";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
let issuer: Issuer;
let userId: string;

beforeAll(async () => {
  issuer = await startIssuer("console", "client secret");
  process.env.OIDC_ISSUER = issuer.url;
  process.env.OIDC_CLIENT_ID = "console";
  process.env.OIDC_CLIENT_SECRET = "client secret";
  const partner = await createPartner("Ours");
  const ada = { partnerId: partner.id, email: "ada@example.com", name: "Ada", role: "viewer" } as const;
  ({ userId } = await createUser(ada));
});

afterAll(() => issuer.close());

async function signOn(sid: string): Promise<void> {
  await signOnAs("ada@example.com", { subject: "42", sid });
}

function claims(changed: Record<string, unknown>): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: issuer.url, aud: "console", iat, jti: "1", sub: "42", events: { [EVENT]: {} }, ...changed };
}

test.each([
  ["another client", { aud: "another" }],
  ["another issuer", { iss: "https://elsewhere.example" }],
  ["more than five minutes ago", { iat: Math.floor(Date.now() / 1000) - 301 }],
  ["another purpose", { events: {} }],
  ["a sign-in, with a nonce", { nonce: "n" }],
  ["no person and no session", { sub: undefined }],
])("a signed token for %s ends no session", async (_, changed) => {
  await signOn("1");
  const before = await prisma().session.count({ where: { userId } });

  await expect(backchannelLogout(issuer.sign(claims(changed)))).rejects.toMatchObject({
    errorName: "parameter_invalid",
  });

  expect(await prisma().session.count({ where: { userId } })).toBe(before);
});

test("the endpoint does not exist without single sign-on", async () => {
  delete process.env.OIDC_ISSUER;
  try {
    await expect(backchannelLogout("token")).rejects.toMatchObject({ errorName: "route_unknown" });
  } finally {
    process.env.OIDC_ISSUER = issuer.url;
  }
});

test("a token is refused for now, with 503, while the provider can't be reached", async () => {
  const token = issuer.sign(claims({}));
  process.env.OIDC_ISSUER = "http://127.0.0.1:9";
  try {
    await expect(backchannelLogout(token)).rejects.toMatchObject({ errorName: "service_unavailable" });
  } finally {
    process.env.OIDC_ISSUER = issuer.url;
  }
});

test("while the provider's keys can't be read, the route says when to try again, and no session ends", async () => {
  const hidden = await startIssuer("console", "client secret");
  hidden.hideKeys();
  process.env.OIDC_ISSUER = hidden.url;
  try {
    await signOn("1");
    const before = await prisma().session.count({ where: { userId } });
    const answer = await POST(
      new Request("http://localhost/api/backchannel-logout", {
        method: "POST",
        body: new URLSearchParams({ logout_token: hidden.sign(claims({ iss: hidden.url })) }),
      }),
      { params: Promise.resolve({}) },
    );
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await prisma().session.count({ where: { userId } })).toBe(before);
  } finally {
    process.env.OIDC_ISSUER = issuer.url;
    await hidden.close();
  }
});

test("a token that another key signed is not valid", async () => {
  const other = await startIssuer("console", "client secret");
  await expect(backchannelLogout(other.sign(claims({})))).rejects.toMatchObject({
    errorName: "parameter_invalid",
  });
  await other.close();
});

test("a token that is no token is not valid", async () => {
  await expect(backchannelLogout("token")).rejects.toMatchObject({ errorName: "parameter_invalid" });
});

test("a token with only the person ends all sessions of the person, and a repeated one is accepted", async () => {
  await signOn("1");
  await signOn("2");
  const token = issuer.sign(claims({}));

  await backchannelLogout(token);
  await backchannelLogout(token);

  expect(await prisma().session.count({ where: { userId } })).toBe(0);
  const ended = await prisma().auditEntry.findMany({
    where: { objectId: userId, action: "user.session_ended" },
  });
  expect(ended.length).toBeGreaterThan(1);
  expect(ended[0]?.detail).toMatchObject({ reason: "backchannel_logout" });
});
