// Import first: gives the test file a database of its own, in place before anything reads the configuration.
import { afterAll } from "vitest";
import { closeDatabase } from "@/lib/platform/db";
import { createTestDatabase } from "@/lib/testing/template-database";

const database = await createTestDatabase();
process.env.DATABASE_URL = database.url;

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});
