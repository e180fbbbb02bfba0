import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createTestDatabase } from "../lib/testing/template-database.ts";

const run = promisify(execFile);

test("the migrations make exactly the schema, on a throwaway database", async () => {
  const diff = [
    "migrate",
    "diff",
    "--from-migrations",
    "prisma/migrations",
    "--to-schema",
    "prisma/schema.prisma",
  ];

  expect(await prisma(diff)).toContain("No difference detected");
});

test("Prisma agrees that the migrations we applied are applied", async () => {
  const { url, drop } = await createTestDatabase();

  expect(await prisma(["migrate", "status"], url)).toContain("Database schema is up to date!");
  expect(await prisma(["migrate", "deploy"], url)).toContain("No pending migrations to apply.");

  await drop();
});

test("migrate dev writes the migration for a change, also when the database has yet to get the earlier ones", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-authoring-"));
  const config = path.join(folder, "prisma.config.mjs");
  writeFileSync(
    config,
    `export default { schema: "schema.prisma", migrations: { path: "migrations" }, datasource: { url: process.env.DATABASE_URL } };`,
  );

  const earlier = path.join(folder, "migrations", "20260101000000_init");
  mkdirSync(earlier, { recursive: true });
  writeFileSync(path.join(folder, "migrations", "migration_lock.toml"), 'provider = "postgresql"\n');
  writeFileSync(
    path.join(earlier, "migration.sql"),
    'CREATE TABLE "Thing" ("id" INTEGER NOT NULL, CONSTRAINT "Thing_pkey" PRIMARY KEY ("id"));\n',
  );
  writeFileSync(path.join(folder, "schema.prisma"), schemaOf("id Int @id\n  note String?"));
  await prisma(["migrate", "dev", "--name", "note", "--config", config]);

  const migrations = readdirSync(path.join(folder, "migrations")).sort();
  expect(migrations).toEqual([
    expect.stringMatching(/_init$/),
    expect.stringMatching(/_note$/),
    "migration_lock.toml",
  ]);
  expect(
    readFileSync(path.join(folder, "migrations", migrations[1] ?? "", "migration.sql"), "utf8"),
  ).toContain('ALTER TABLE "Thing" ADD COLUMN     "note" TEXT;');
  rmSync(folder, { recursive: true });
}, 60_000);

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

function schemaOf(fields: string): string {
  return `datasource db {\n  provider = "postgresql"\n}\nmodel Thing {\n  ${fields}\n}\n`;
}

async function prisma(args: string[], databaseUrl = ""): Promise<string> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await run(process.execPath, ["scripts/prisma.mjs", ...args], { env: environment });
  return stdout;
}

function version(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}
