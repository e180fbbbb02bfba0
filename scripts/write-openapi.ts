// Writes openapi.json from the route table's contracts and the event catalog; `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { routes } from "@/.generated/route-table";
import { describeWebhooks } from "@/lib/events/render-event";
import { toOpenApi } from "@/lib/http/openapi";
import { operationsOf } from "@/lib/server/operations";

const FILE = "openapi.json";

// The document is the same wherever it is made: it needs a configuration, not this machine's.
Object.assign(process.env, {
  BASE_URL: "http://localhost:3000",
  DOCS_URL: "http://localhost:3000/docs",
  DATABASE_URL: "postgresql://localhost/unused",
  ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
});

const wanted = `${JSON.stringify(toOpenApi(operationsOf(routes), describeWebhooks()), null, 2)}\n`;
const current = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (wanted !== current) {
  process.stderr.write(`${FILE} is stale: run \`npm run openapi\` and commit it.\n`);
  process.exitCode = 1;
}
