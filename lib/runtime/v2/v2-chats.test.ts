import "@/lib/testing/use-test-database";

import { Readable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { prisma } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { importV2Chats } from "@/lib/runtime/v2/import-v2-chats";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const HEADER = "v2_chat_id,v3_chat_id,line,handles";

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
});

function importRows(rows: string[], header = HEADER, ctx = account.context()) {
  return importV2Chats(ctx, Readable.from([[header, ...rows].join("\n")]));
}

function lookUp(id: string, token: string | null = account.token) {
  const headers = token === null ? undefined : { "X-SERVICE-INTEGRATION-TOKEN": token };
  return callApi(`GET /v2/chats/${id}/migrate_to_v3`, { headers });
}

test("the token is taken from X-LINQ-INTEGRATION-TOKEN too", async () => {
  const headers = { "X-LINQ-INTEGRATION-TOKEN": account.token };
  expect((await callApi("GET /v2/chats/1/migrate_to_v3", { headers })).status).toBe(404);
});

describe("looking up", () => {
  test("a chat that was named answers its id, each time", async () => {
    const { chatId } = await account.sendFirst("+15550006001");
    await importRows([`7,${chatId.toUpperCase()},,`]);

    for (let count = 0; count < 2; count++) {
      const { status, body, headers } = await lookUp("7");
      expect(status).toBe(200);
      expect(body).toEqual({ data: { v3_chat_id: chatId, v2_chat_id: 7, migrated: true } });
      expect(headers.get("content-type")).toBe("application/json");
    }
  });

  test("over the limit of requests is 429, in the shape of the family, and says when to come back", async () => {
    const { chatId } = await account.sendFirst("+15550006009");
    await importRows([`7,${chatId},,`]);
    await updateAccountOptions(account.context(), { body: { requests_per_minute: 1 } });
    const minute = Math.ceil(now().getTime() / 60_000) * 60_000;
    setClock({ offsetMs: 0, frozenAt: new Date(minute + 1000) });
    const first = await lookUp("7");
    const { status, body, headers } = await lookUp("7");
    setClock(null);

    expect([first.status, status]).toEqual([200, 429]);
    expect(body.errors).toMatchObject([{ status: 429, code: "too_many_requests" }]);
    expect(headers.get("retry-after")).toBe("59");
    expect(headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
  });

  test("a chat known by its line and handles is opened once, also by twenty at once; one there is, is found", async () => {
    const { chatId } = await account.sendFirst("+15550006002");
    await importRows([
      `8,,${account.line},+15550006003 ADA@example.com;+15550006003`,
      `9,,${account.line},+15550006002`,
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => lookUp("8")));
    const ids = new Set(answers.map(({ body }) => body.data.v3_chat_id));

    expect(ids.size).toBe(1);
    const opened = await callApi(`GET /v3/chats/${[...ids][0]}`, { token: account.token });
    expect(opened.body.handles.map(({ handle }: { handle: string }) => handle)).toEqual([
      account.line,
      "+15550006003",
      "ada@example.com",
    ]);
    expect((await lookUp("9")).body.data.v3_chat_id).toBe(chatId);
  });

  test("a chat that cannot be migrated is 422, the same each time", async () => {
    await importRows(["10,not migratable,,", `11,,${account.line},+15550006004`]);
    await prisma().line.updateMany({
      where: { accountId: account.ref.id },
      data: { releasedAt: new Date() },
    });
    for (const id of [10, 10, 11]) {
      const { status, body } = await lookUp(String(id));
      expect(status).toBe(422);
      expect(body).toEqual({ data: { v3_chat_id: null, v2_chat_id: id, migrated: false } });
    }
  });

  test("an unknown chat, another account's and what is no number are the same 404 in the V2 shape", async () => {
    const { chatId } = await account.sendFirst("+15550006005");
    await importRows([`12,${chatId},,`]);
    const theirs = await createTestAccount({ type: "production" });

    for (const [id, token] of [
      ["12", theirs.token],
      ["13", account.token],
      ["abc", account.token],
      ["9".repeat(30), account.token],
    ] as const) {
      const { status, body } = await lookUp(id, token);
      expect(status).toBe(404);
      expect(body).toEqual({
        errors: [{ status: 404, code: "not_found", title: "Not Found", detail: expect.any(String) }],
      });
      expect(JSON.stringify(body)).not.toContain(chatId);
    }
  });

  test("without a token, with a bad one, or with the header of V3 it is 401 in the V2 shape", async () => {
    const bearer = await callApi("GET /v2/chats/1/migrate_to_v3", { token: account.token });
    for (const answer of [bearer, await lookUp("1", null), await lookUp("1", "tl_sandbox_wrong")]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        errors: [{ status: 401, code: "unauthorized", title: "Unauthorized", detail: expect.any(String) }],
      });
    }
  });

  test.each(["POST /v2/chats/1/migrate_to_v3", "DELETE /v2/messages", "GET /v2", "GET /v2/chats/1"] as const)(
    "%s is 404 in the V2 shape",
    async (what) => {
      const headers = { "X-SERVICE-INTEGRATION-TOKEN": account.token };
      const { status, body } = await callApi(what, { headers });
      expect(status).toBe(404);
      expect(body).toMatchObject({ errors: [{ status: 404, code: "not_found" }] });
    },
  );
});

describe("importing", () => {
  test("stores the good rows and reports each bad one with its line", async () => {
    const { chatId } = await account.sendFirst("+15550006006");
    const foreign = await (await createTestAccount({ type: "production" })).sendFirst("+15550006007");
    const result = await importRows([
      `1,${chatId},,`,
      "x,,,",
      `2,${foreign.chatId},,`,
      "",
      `3,,+15550109999,+15550006008`,
      `4,,${account.line},555`,
      `5,${chatId},${account.line},+15550006008`,
      `6,,${account.line},${account.line}`,
      `7,,${account.line},"+15550006008 +15550006009"`,
      "8",
    ]);

    expect(result).toMatchObject({ imported: 2, failed: 7 });
    expect(result.errors.map(({ line }) => line)).toEqual([3, 4, 6, 7, 8, 9, 11]);
    expect(await prisma().v2Chat.count({ where: { accountId: account.ref.id } })).toBe(2);
  });

  test("once more changes nothing: a chat that was opened meanwhile stays the same", async () => {
    const rows = [`1,,${account.line},+15550006010`, "2,not migratable,,"];
    await importRows(rows);
    const first = await lookUp("1");
    expect(await importRows(rows)).toEqual({ imported: 2, failed: 0, errors: [] });
    expect((await lookUp("1")).body).toEqual(first.body);
    expect((await lookUp("2")).status).toBe(422);
  });

  test("takes columns in any order, a byte order mark, CRLF, and a V2 chat twice: the last row counts", async () => {
    const { chatId } = await account.sendFirst("+15550006011");
    const csv = `\ufeffV3_Chat_Id,v2_chat_id\r\nnot_migratable,1\r\n${chatId},1\r\n`;
    expect(await importV2Chats(account.context(), Readable.from([csv]))).toMatchObject({ imported: 2 });
    expect((await lookUp("1")).body.data.v3_chat_id).toBe(chatId);
  });

  test("a file that breaks in the middle keeps the batches before, says where, and can be mended", async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => `${index + 1},not migratable,,`);
    const result = await importRows([...rows, '1501,"not', "migratable,,"]);
    expect(result.failed).toBe(1);
    expect(result.errors[0]?.message).toMatch(/can't be read beyond this row/);
    expect(await prisma().v2Chat.count({ where: { accountId: account.ref.id } })).toBe(result.imported);

    expect(await importRows([...rows, "1501,not migratable,,"])).toMatchObject({ imported: 1501, failed: 0 });
  });

  test("many rows come in batches, on record", async () => {
    const rows = Array.from({ length: 1201 }, (_, index) => `${index + 1},not migratable,,`);
    expect(await importRows(rows)).toMatchObject({ imported: 1201, failed: 0 });
    const audits = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, action: "v2_chats.imported" },
      orderBy: { id: "asc" },
    });
    expect(audits.map(({ detail }) => detail)).toEqual([{ rows: 500 }, { rows: 500 }, { rows: 201 }]);
  });

  test("needs a header", async () => {
    await expect(importRows(["1,2"], "a,b")).rejects.toMatchObject({ errorName: "parameter_invalid" });
  });
});
