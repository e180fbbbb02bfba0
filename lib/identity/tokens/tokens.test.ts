import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import type { Context, Role } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { startTokenUse } from "@/lib/runtime/monitoring/observe-token-use";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  other = await createTestAccount({ type: "production" });
});

function as(role: Role): Context {
  const actor = {
    type: "user",
    userId: newId(Date.now()),
    name: "Ada",
    email: "ada@example.com",
    role,
    hasFreshProof: true,
  } as const;
  return { ...account.context(), actor };
}

test("a generated token works until it is revoked, and is kept only as a hash", async () => {
  const { token, api_token } = await createToken(as("admin"), { name: "CI" });
  expect((await callApi("GET /v3/phone_numbers", { token })).status).toBe(200);
  const rows = await prisma().apiToken.findMany({ where: { id: api_token.id } });
  expect(JSON.stringify(rows)).not.toContain(token.slice(-20));
  expect(token.startsWith(api_token.prefix)).toBe(true);
  expect(token.endsWith(api_token.last_four)).toBe(true);

  await revokeToken(as("developer"), { params: { tokenId: api_token.id } });

  const refused = await callApi("GET /v3/phone_numbers", { token });
  expect([refused.status, refused.body.error.code]).toEqual([401, 2004]);
  await expect(revokeToken(as("admin"), { params: { tokenId: api_token.id } })).resolves.toBeUndefined();
});

test.each(["developer", "support", "viewer"] as const)("the role %s does not create tokens", async (role) => {
  await expect(createToken(as(role), { name: "no" })).rejects.toMatchObject({ errorName: "access_denied" });
});

test("an account's option lets developers create tokens", async () => {
  await updateAccountOptions(account.context(), { body: { developer_tokens: true } });
  await expect(createToken(as("developer"), { name: "theirs" })).resolves.toMatchObject({
    api_token: { name: "theirs" },
  });
  await expect(createToken(as("support"), { name: "no" })).rejects.toMatchObject({
    errorName: "access_denied",
  });
  await updateAccountOptions(account.context(), { body: { developer_tokens: false } });
});

test("another account's token can be neither seen nor revoked", async () => {
  const { api_token } = await createToken(other.context(), { name: "theirs" });

  await expect(revokeToken(as("admin"), { params: { tokenId: api_token.id } })).rejects.toMatchObject({
    errorName: "access_denied",
  });
  await expect(revokeToken(as("admin"), { params: { tokenId: newId(Date.now()) } })).rejects.toMatchObject({
    errorName: "name_unknown",
  });
  const { tokens } = await listTokens(as("viewer"));
  expect(tokens.map((token) => token.id)).not.toContain(api_token.id);
});

test("working tokens are listed before revoked ones, the newest first", async () => {
  const { api_token: revoked } = await createToken(as("admin"), { name: "old" });
  await revokeToken(as("admin"), { params: { tokenId: revoked.id } });
  const { api_token: newest } = await createToken(as("admin"), { name: "newest" });

  const { tokens } = await listTokens(as("viewer"));

  expect(tokens[0]?.id).toBe(newest.id);
  const firstRevoked = tokens.findIndex((token) => token.revoked_at !== null);
  expect(tokens.slice(firstRevoked).every((token) => token.revoked_at !== null)).toBe(true);
});

test("generating and revoking are in the audit trail, without the token", async () => {
  const { token, api_token } = await createToken(as("admin"), { name: "audited" });
  await revokeToken(as("admin"), { params: { tokenId: api_token.id } });

  const entries = await prisma().auditEntry.findMany({
    where: { objectId: api_token.id },
    orderBy: { id: "asc" },
  });

  expect(entries.map((entry) => entry.action)).toEqual(["api_token.created", "api_token.revoked"]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("the last use of a token is written soon after its requests", async () => {
  const { token, api_token } = await createToken(account.context(), { name: "used" });
  const use = startTokenUse();
  await runForClient({ address: "198.51.100.7", userAgent: null }, async () => {
    await callApi("GET /v3/phone_numbers", { token });
    await callApi("GET /v3/chats", { token });
  });

  await use.stop();

  const used = await prisma().apiToken.findFirstOrThrow({ where: { id: api_token.id } });
  expect(Math.abs(Date.now() - (used.lastUsedAt?.getTime() ?? 0))).toBeLessThan(5000);
  expect(used.lastUsedFrom).toBe("198.51.100.7");
});
