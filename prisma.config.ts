import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // Not set while generating. scripts/prisma.mjs sets it for every command that needs a database.
  datasource: { url: process.env.DATABASE_URL },
});
