import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { generateToken } from "@/lib/identity/tokens/api-token";
import { createToken } from "@/lib/identity/tokens/create-token";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import { prisma } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

/** Calls the API with a token from an IP address. */
async function callWith(token: string, address: string): Promise<void> {
  const call = () => callApi("GET /v3/phone_numbers", { token });
  expect((await runForClient({ address, userAgent: null }, call)).status).toBe(401);
}

async function revokedToken(name: string): Promise<{ id: string; token: string }> {
  const { token, api_token } = await createToken(account.context(), { name });
  await revokeToken(account.context(), { params: { tokenId: api_token.id } });
  return { id: api_token.id, token };
}

test("a revoked token that is used leaves one audit entry with the address and one notice, however often", async () => {
  const [used, last] = [await revokedToken("Old server"), await revokedToken("Another")];
  for (let call = 0; call < 5; call++) await callWith(used.token, "203.0.113.20");
  await callWith(last.token, "203.0.113.20");

  const where = { accountId: account.ref.id, kind: "revoked_token_used" };
  await expect.poll(() => prisma().accountNotice.count({ where })).toBe(2);
  const refused = { action: "api_token.refused", objectId: used.id };
  expect(await prisma().auditEntry.findMany({ where: refused })).toMatchObject([
    { accountId: account.ref.id, address: "203.0.113.20", detail: { reason: "revoked", name: "Old server" } },
  ]);
  const notice = await prisma().accountNotice.findFirstOrThrow({ where: { ...where, objectId: used.id } });
  expect(notice.body).toContain("203.0.113.20");
});

test("made-up tokens leave one audit entry for each address, and none for a working token", async () => {
  const entries = () =>
    prisma().auditEntry.findMany({
      where: { action: "api_token.refused", accountId: null },
      select: { address: true },
    });
  await callApi("GET /v3/phone_numbers", { token: account.token });
  for (let call = 0; call < 5; call++) await callWith(generateToken("sandbox").token, "203.0.113.30");
  await callWith("no-token-at-all", "203.0.113.30");
  await callWith("nor-this-one", "2001:db8:9:9::1");

  await expect.poll(entries).toHaveLength(2);
  expect((await entries()).map(({ address }) => address).sort()).toEqual(["2001:db8:9:9::1", "203.0.113.30"]);
});
