import "@/lib/testing/use-test-database";

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { readLines, readZip } from "@/lib/testing/read-zip";
import { PERSON_COMMANDS } from "@/scripts/admin/person-commands";

let account: TestAccount;
let person: string;
let folder: string;

beforeAll(async () => {
  registerDependencies();
  account = await createTestAccount({ type: "sandbox" });
  person = await createTestPhone(account);
  await writeAs(account, person, { to: account.line, text: "hello from the person" });
  folder = await mkdtemp(path.join(tmpdir(), "trunkline-export-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function run(command: string, options: object): Promise<string> {
  const found = PERSON_COMMANDS[command];
  if (found === undefined) throw new Error(`no command ${command}`);
  return found({ account: account.ref.id, ...options });
}

test("export-person and export-account write an archive that only its owner reads, and never replace a file", async () => {
  for (const command of ["export-person", "export-account"]) {
    const to = path.join(folder, `${command}.zip`);
    expect(await run(command, { handle: person, to })).toMatch(/^exported to .* \(\d+\.\d MB\)$/);
    const files = readZip(await readFile(to));
    expect(JSON.stringify(readLines(files, "messages.jsonl"))).toContain("hello from the person");
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    await expect(run(command, { handle: person, to })).rejects.toThrow("EEXIST");
  }
  const audited = await sql.runText<{ action: string }>({
    text: "select action from audit_entries where account_id = $1 and action like '%.exported' order by id",
    values: [account.ref.id],
  });
  expect(audited.map(({ action }) => action)).toEqual(["handle.exported", "account.exported"]);
});

test("erase-person erases without a running worker and prints the rows by table", async () => {
  const printed = await run("erase-person", { handle: ` ${person.slice(0, 5)} ${person.slice(5)} ` });
  expect(printed).toMatch(/^erasure [0-9a-f-]{36}: erased; a worker erases the remains/);
  expect(printed).toContain("  messages: 1");
  const left = await sql.runText({
    text: "select 1 from messages where account_id = $1 and parts <> '[]'",
    values: [account.ref.id],
  });
  expect(left).toEqual([]);
  await expect(run("erase-person", { handle: "not a handle" })).rejects.toThrow();
});
