import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createTestDatabase } from "../lib/testing/template-database.ts";

const run = promisify(execFile);

test("Prisma agrees that the migrations we applied are applied", async () => {
  const { url, drop } = await createTestDatabase();

  expect(await prisma(["migrate", "status"], url)).toContain("Database schema is up to date!");
  expect(await prisma(["migrate", "deploy"], url)).toContain("No pending migrations to apply.");

  await drop();
});

test("migrate dev writes one statement for one new column of the real schema, and changes nothing else", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-authoring-"));
  const config = path.join(folder, "prisma.config.mjs");
  writeFileSync(
    config,
    `export default { schema: "schema.prisma", migrations: { path: "migrations" }, datasource: { url: process.env.DATABASE_URL } };`,
  );
  cpSync("prisma/migrations", path.join(folder, "migrations"), { recursive: true });
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  writeFileSync(
    path.join(folder, "schema.prisma"),
    schema.replace("model OptOut {", "model OptOut {\n  added String?"),
  );
  const before = readdirSync("prisma/migrations");

  await prisma(["migrate", "dev", "--name", "note", "--config", config]);

  const [added = "", ...others] = readdirSync(path.join(folder, "migrations")).filter(
    (name) => !before.includes(name),
  );
  expect(others).toEqual([]);
  expect(added).toMatch(/^\d{14}_note$/);
  expect(readFileSync(path.join(folder, "migrations", added, "migration.sql"), "utf8")).toBe(
    '-- AlterTable\nALTER TABLE "opt_outs" ADD COLUMN     "added" TEXT;\n',
  );
  expect(readFileSync(path.join(folder, "migrations", "migration_lock.toml"), "utf8")).toBe(
    readFileSync("prisma/migrations/migration_lock.toml", "utf8"),
  );
  rmSync(folder, { recursive: true });
}, 120_000);

test("a failing command fails, with Prisma's own words", async () => {
  const url = "postgresql://postgres:none@127.0.0.1:1/nowhere";

  await expect(prisma(["migrate", "status"], url)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("P1001"),
  });
});

test("the schema engine is the one this Prisma was built with", () => {
  const wanted = version("@prisma/engines-version");

  expect(version("@prisma/schema-engine-wasm")).toBe(wanted);
  expect(version("@prisma/driver-adapter-utils")).toBe(version("prisma"));
});

async function prisma(args: string[], databaseUrl = ""): Promise<string> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await run(process.execPath, ["scripts/prisma.mjs", ...args], { env: environment });
  return stdout;
}

function version(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}
