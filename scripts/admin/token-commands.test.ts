import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import type { AccountRef } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { TOKEN_COMMANDS } from "@/scripts/admin/token-commands";

let account: AccountRef;

beforeAll(async () => {
  account = (await createTestAccount({ type: "sandbox" })).ref;
});

function admin(command: string, options: Record<string, unknown>): Promise<string> {
  return TOKEN_COMMANDS[command]?.(options) ?? Promise.reject(new Error(`no command ${command}`));
}

async function createToken(more: Record<string, unknown> = {}) {
  const output = await admin("create-token", {
    account: account.id,
    name: `token ${newId(Date.now())}`,
    ...more,
  });
  const [token = ""] = output.split("\n");
  const [row] = await sql.runText<{ id: string; scopes: string[]; expires: boolean }>({
    text: `select id, scopes, expires_at is not null as expires from api_tokens
           where account_id = $1 order by created_at desc, id desc limit 1`,
    values: [account.id],
  });
  if (row === undefined) throw new Error("no token was created");
  return { token, ...row };
}

const statusWith = async (token: string) => (await callApi("GET /v3/phone_numbers", { token })).status;

test("create-token prints a token that works, with the scopes and the expiry given", async () => {
  const { token, scopes, expires } = await createToken({ expires: "30", scopes: "read_only, messaging" });
  expect(await statusWith(token)).toBe(200);
  expect(scopes.toSorted()).toEqual(["messaging", "read_only"]);
  expect(expires).toBe(true);
  await expect(createToken({ scopes: "everything" })).rejects.toThrow();
  await expect(createToken({ addresses: "not an address" })).rejects.toThrow();
});

test("roll-token prints a replacement, and the old token works until the overlap ends", async () => {
  const old = await createToken();
  const output = await admin("roll-token", { token: old.id, "overlap-hours": "2" });
  expect(output).toContain("The old token works until");
  const [token = ""] = output.split("\n");
  expect(await Promise.all([token, old.token].map(statusWith))).toEqual([200, 200]);

  const next = await createToken();
  expect(await admin("roll-token", { token: next.id, "overlap-hours": "0" })).toContain("is revoked");
  expect(await statusWith(next.token)).toBe(401);
});

test("revoke-token ends a token; an unknown one is named", async () => {
  const { id, token } = await createToken();
  expect(await admin("revoke-token", { token: id })).toBe(`token ${id} is revoked`);
  expect(await statusWith(token)).toBe(401);
  await expect(admin("revoke-token", { token: newId(1) })).rejects.toThrow("no token has the ID");
});
