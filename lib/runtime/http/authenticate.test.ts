import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { generateToken } from "@/lib/identity/tokens/api-token";
import { createToken } from "@/lib/identity/tokens/create-token";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { prisma, sql } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { runForClient } from "@/lib/platform/http/request-client";
import { setClock } from "@/lib/platform/time/clock";
import { authenticateToken, type Caller } from "@/lib/runtime/http/authenticate";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/until";

const MOMENT = new Date("2030-05-01T12:00:00Z");
const ADDRESS = "198.51.100.7";

let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  other = await createTestAccount({ type: "production" });
});

afterEach(() => setClock(null));

function ask(authorization: string | null, from: string | null = ADDRESS): Promise<Caller> {
  const headers = authorization === null ? undefined : { authorization };
  const request = new Request("http://trunkline.test/v3/chats", { headers });
  return runForClient({ address: from, userAgent: null }, () => authenticateToken(request, () => undefined));
}

/** Returns code and text of a rejected request, or null when the request is authorized. */
async function refusal(asked: Promise<unknown>): Promise<[code: number, detail: string] | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (error instanceof ApiError) return [error.row.code, error.message];
    throw error;
  }
}

function expireTokenAt(token: string, at: Date) {
  return sql.runText({
    text: "update api_tokens set expires_at = $2 where hash = $1",
    values: [sha256(token), at],
  });
}

describe("the header Authorization", () => {
  test.each([
    ["as documented", (token: string) => `Bearer ${token}`],
    ["with the scheme in lower case", (token: string) => `bearer ${token}`],
    ["with several spaces", (token: string) => `Bearer   ${token}   `],
  ])("is accepted %s", async (_how, header) => {
    expect((await ask(header(account.token))).account).toEqual(account.ref);
  });

  test.each([
    ["is missing", () => null],
    ["is empty", () => ""],
    ["has no scheme", (token: string) => token],
    ["has no token", () => "Bearer "],
    ["has another scheme", (token: string) => `Basic ${token}`],
    ["has something before the scheme", (token: string) => `x Bearer ${token}`],
    ["has something after the token", (token: string) => `Bearer ${token} x`],
    ["has no space after the scheme", (token: string) => `Bearer${token}`],
  ])("that %s is 2004, and the error says what to send", async (_how, header) => {
    const [code, detail] = (await refusal(ask(header(account.token)))) ?? [];
    expect([code, detail]).toEqual([2004, expect.stringContaining("Authorization: Bearer <token>")]);
  });
});

describe("a token", () => {
  test("tells account, token and scopes; without scopes nothing is restricted", async () => {
    const free = await createToken(account.context(), { name: "free" });
    const scoped = await createToken(account.context(), { name: "scoped", scopes: ["read_only"] });

    expect(await ask(`Bearer ${free.token}`)).toStrictEqual({
      account: account.ref,
      actor: { type: "api", tokenId: free.api_token.id, keepsQuietHours: false },
    });
    expect(await ask(`Bearer ${scoped.token}`)).toStrictEqual({
      account: account.ref,
      actor: {
        type: "api",
        tokenId: scoped.api_token.id,
        scopes: ["read_only"],
        keepsQuietHours: false,
      },
    });
  });

  test("that asks together with others gets its own account, and an unknown one among them none", async () => {
    const unknown = generateToken("sandbox").token;
    const tokens = [account.token, unknown, other.token, account.token, other.token, unknown];
    const answers = await Promise.allSettled(tokens.map((token) => ask(`Bearer ${token}`)));

    expect(answers.map((each) => (each.status === "fulfilled" ? each.value.account.id : null))).toEqual([
      account.ref.id,
      null,
      other.ref.id,
      account.ref.id,
      other.ref.id,
      null,
    ]);
  });

  test("of another form is refused as such, and noted", async () => {
    expect(await refusal(ask("Bearer sk_live_not-ours"))).toEqual([
      2004,
      expect.stringContaining("not a Trunkline API token"),
    ]);
    await until(async () => (await refusedFrom(null)) > 0);
  });

  test("that is unknown or revoked is refused, and the use of the revoked one is noted", async () => {
    expect(await refusal(ask(`Bearer ${generateToken("sandbox").token}`))).toEqual([
      2004,
      expect.stringContaining("unknown or was revoked"),
    ]);
    const { token, api_token } = await createToken(account.context(), { name: "old" });
    await sql.runText({
      text: "update api_tokens set revoked_at = now() where id = $1",
      values: [api_token.id],
    });
    expect(await refusal(ask(`Bearer ${token}`))).toEqual([
      2004,
      expect.stringContaining("unknown or was revoked"),
    ]);
    await until(async () => (await refusedFrom(api_token.id)) > 0);
    // The uses of valid tokens in the tests above are not recorded as uses of revoked ones.
    expect(await knownRefused()).toEqual([api_token.id]);
  });

  test("works until the moment it expires, and the error names the moment", async () => {
    const { token } = await createToken(account.context(), { name: "short" });
    await expireTokenAt(token, MOMENT);

    setClock({ offsetMs: 0, frozenAt: new Date(MOMENT.getTime() - 1) });
    expect(await refusal(ask(`Bearer ${token}`))).toBeNull();
    setClock({ offsetMs: 0, frozenAt: MOMENT });
    expect(await refusal(ask(`Bearer ${token}`))).toEqual([
      2004,
      expect.stringContaining(MOMENT.toISOString()),
    ]);
  });

  test("with an address list works from these addresses only", async () => {
    const { token } = await createToken(account.context(), {
      name: "office",
      allowed_addresses: ["198.51.100.0/24"],
    });
    expect(await refusal(ask(`Bearer ${token}`, ADDRESS))).toBeNull();
    expect((await refusal(ask(`Bearer ${token}`, "203.0.113.1")))?.[0]).toBe(2005);
  });

  test("is refused from the moment its account expires, and the error names the moment", async () => {
    const expiring = await createTestAccount({ type: "sandbox" });
    await prisma().account.update({ where: { id: expiring.ref.id }, data: { expiresAt: MOMENT } });

    setClock({ offsetMs: 0, frozenAt: new Date(MOMENT.getTime() - 1) });
    expect(await refusal(ask(`Bearer ${expiring.token}`))).toBeNull();
    setClock({ offsetMs: 0, frozenAt: MOMENT });
    expect(await refusal(ask(`Bearer ${expiring.token}`))).toEqual([
      2005,
      expect.stringContaining(MOMENT.toISOString()),
    ]);
  });

  test("is limited by itself: another token of the account has its own limit", async () => {
    const limited = await createTestAccount({ type: "sandbox" });
    await prisma().account.update({ where: { id: limited.ref.id }, data: { requestsPerMinute: 2 } });
    const second = (await createToken(limited.context(), { name: "second" })).token;
    setClock({ offsetMs: 0, frozenAt: MOMENT });

    const outcomes = [];
    for (const token of [limited.token, limited.token, limited.token, second]) {
      outcomes.push((await refusal(ask(`Bearer ${token}`)))?.[0] ?? null);
    }
    expect(outcomes).toEqual([null, null, 1007, null]);
  });

  test("is recognized before its request is rejected", async () => {
    const { token, api_token } = await createToken(account.context(), { name: "late" });
    await expireTokenAt(token, new Date(0));
    const recognized: Caller[] = [];
    const request = new Request("http://trunkline.test/", { headers: { authorization: `Bearer ${token}` } });

    expect(await refusal(authenticateToken(request, (caller) => recognized.push(caller)))).not.toBeNull();
    expect(recognized.map(({ actor }) => actor)).toEqual([
      { type: "api", tokenId: api_token.id, keepsQuietHours: false },
    ]);
  });
});

function refusedFrom(objectId: string | null): Promise<number> {
  return prisma().auditEntry.count({ where: { action: "api_token.refused", objectId } });
}

async function knownRefused(): Promise<(string | null)[]> {
  const where = { action: "api_token.refused", objectId: { not: null } };
  return (await prisma().auditEntry.findMany({ where })).map(({ objectId }) => objectId);
}
