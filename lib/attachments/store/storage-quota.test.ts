import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const MIB = 1024 * 1024;

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => {
  delete process.env.STORAGE_PER_ACCOUNT_MB;
  delete process.env.DISK_RESERVE_MB;
  reloadEnv();
});

function set(settings: Record<string, string>): void {
  Object.assign(process.env, settings);
  reloadEnv();
}

const announce = (size_bytes: number) =>
  callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename: "a.txt", content_type: "text/plain", size_bytes },
  });

const codeOf = ({ body }: { body: { error?: { code: number } } }) => body.error?.code ?? null;

test("an account that stores as much as the instance lets it gets 409/2015, and room again by deleting", async () => {
  set({ STORAGE_PER_ACCOUNT_MB: "2" });
  const first = await announce(1.5 * MIB);
  expect(first.status).toBe(200);
  expect((await announce(0.5 * MIB)).status).toBe(200);

  const refused = await announce(1);
  expect([refused.status, codeOf(refused)]).toEqual([409, 2015]);

  await callApi(`DELETE /v3/attachments/${first.body.attachment_id}`, { token: account.token });
  expect((await announce(1.5 * MIB)).status).toBe(200);
});

test("an account's own quota comes before that of the instance", async () => {
  set({ STORAGE_PER_ACCOUNT_MB: "1" });
  await prisma().account.update({ where: { id: account.ref.id }, data: { storageMb: 3 } });
  expect((await announce(3 * MIB)).status).toBe(200);
  expect(codeOf(await announce(1))).toBe(2015);
});

test("uploads that are announced at once do not exceed the quota together", async () => {
  set({ STORAGE_PER_ACCOUNT_MB: "2" });
  const answers = await Promise.all(Array.from({ length: 12 }, () => announce(MIB)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter((answer) => codeOf(answer) === 2015)).toHaveLength(10);
});

test("a disk below its reserve refuses uploads with 503/4004, and messages go on", async () => {
  const content = Buffer.from("hello");
  const { body } = await announce(content.length);
  set({ DISK_RESERVE_MB: "10000000" });

  const refused = await announce(1);
  expect([refused.status, codeOf(refused)]).toEqual([503, 4004]);
  expect((await uploadFile(body, content)).status).toBe(503);
  const sent = await callApi("POST /v3/chats", {
    token: account.token,
    body: { from: account.line, to: ["+14155550199"], message: { parts: [{ type: "text", value: "hi" }] } },
  });
  expect(codeOf(sent)).not.toBe(4004);

  set({ DISK_RESERVE_MB: "0" });
  expect((await uploadFile(body, content)).status).toBe(200);
});
