import "@/lib/testing/use-test-database";

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { ACCOUNT_COMMANDS } from "@/scripts/admin/account-commands";

function admin(command: string, options: Record<string, unknown>): Promise<string> {
  return ACCOUNT_COMMANDS[command]?.(options) ?? Promise.reject(new Error(`no command ${command}`));
}

const idOf = (output: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? "";

test("create-partner and create-account are listed with their ids", async () => {
  const partner = idOf(await admin("create-partner", { name: "Acme" }));
  const account = idOf(await admin("create-account", { partner, name: "live", type: "production" }));
  const listed = await admin("list", {});
  expect(listed).toContain(`partner ${partner}  Acme`);
  expect(listed).toContain(`account ${account}  live (production)`);
  await expect(admin("create-account", { partner, name: "live", type: "staging" })).rejects.toThrow();
});

test("an account is renamed, archived and restored, and an archived one is listed as such", async () => {
  const { ref } = await createTestAccount({ type: "sandbox" });
  expect(await admin("rename-account", { account: ref.id, name: "Old shop" })).toContain(
    "Old shop (sandbox)",
  );
  expect(await admin("archive-account", { account: ref.id })).toContain("Old shop: archived");
  expect(await admin("list", {})).toContain(`account ${ref.id}  Old shop (sandbox, archived)`);
  expect(await admin("restore-account", { account: ref.id })).toContain("Old shop: restored");
  expect(await admin("list", {})).toContain(`account ${ref.id}  Old shop (sandbox)`);
  await expect(admin("rename-account", { account: ref.id, name: "" })).rejects.toThrow();
});

test("set-account-options stores the options given, and refuses one it does not know", async () => {
  const { ref } = await createTestAccount({ type: "sandbox" });
  const set = (options: object) =>
    admin("set-account-options", { account: ref.id, options: JSON.stringify(options) });
  expect(JSON.parse(await set({ daily_messages: 1000 }))).toMatchObject({ daily_messages: 1000 });
  expect(JSON.parse(await set({ daily_messages: 0, pair_messages: 0 }))).toMatchObject({
    daily_messages: null,
    pair_messages: null,
  });
  expect(JSON.parse(await set({ requests_per_minute: 0, storage_mb: 0 }))).toMatchObject({
    requests_per_minute: 0,
    storage_mb: 0,
  });
  await expect(set({ daily_mesages: 5 })).rejects.toThrow();
  await expect(admin("set-account-options", { account: newId(1), options: "{}" })).rejects.toThrow(
    "no account has the ID",
  );
});

test("set-attachment-tier sets the tier of an account or of one of its lines", async () => {
  const { ref } = await createTestAccount({ type: "sandbox" });
  const [line] = await sql.runText<{ phone_number: string }>({
    text: "select phone_number from lines where account_id = $1",
    values: [ref.id],
  });
  const number = line?.phone_number ?? "";
  const tiers = () =>
    sql.runText({
      text: `select a.attachment_tier as account, l.attachment_tier as line from accounts a
             join lines l on l.account_id = a.id where a.id = $1`,
      values: [ref.id],
    });
  await admin("set-attachment-tier", { account: ref.id, tier: "ephemeral" });
  await admin("set-attachment-tier", { account: ref.id, number, tier: "persistent" });
  expect(await tiers()).toEqual([{ account: "ephemeral", line: "persistent" }]);
  await admin("set-attachment-tier", { account: ref.id, number, tier: "account" });
  expect(await tiers()).toEqual([{ account: "ephemeral", line: null }]);
  await expect(admin("set-attachment-tier", { account: ref.id, tier: "account" })).rejects.toThrow();
});

test("import-v2 counts the rows it imported and names those it did not", async () => {
  const { ref } = await createTestAccount({ type: "sandbox" });
  const folder = await mkdtemp(path.join(tmpdir(), "trunkline-admin-"));
  const file = path.join(folder, "chats.csv");
  await writeFile(file, "v2_chat_id,v3_chat_id\n17,not migratable\n18,no chat\n");
  const output = await admin("import-v2", { account: ref.id, file });
  await rm(folder, { recursive: true });
  expect(output).toMatch(/^1 rows imported, 1 failed\nline 3: /);
});
