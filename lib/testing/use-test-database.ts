// Import first: gives the test file a database and a folder of its own, in place before anything reads the configuration.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { closeDatabase } from "@/lib/platform/db";
import { createTestDatabase } from "@/lib/testing/template-database";

const database = await createTestDatabase();
const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-test-files-"));
process.env.DATABASE_URL = database.url;
process.env.DATA_DIR = dataDir;

afterAll(async () => {
  await closeDatabase();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
