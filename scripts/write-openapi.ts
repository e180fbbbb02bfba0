// Generates openapi.json and openapi-simulator.json from the contracts of the route table and the event catalog,
// role-operations.json from those of the dashboard, and docs/settings.md and the README's table from the settings.
// `--check` only compares.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { describeWebhooks } from "@/lib/events/catalog/render-event";
import { Settings } from "@/lib/platform/settings";
import { setClock } from "@/lib/platform/time/clock";
import { toOpenApi } from "@/lib/runtime/openapi/openapi";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { operationsByRight } from "@/lib/runtime/openapi/operations-by-right";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { settingsDocument, withCommonSettings } from "@/scripts/settings-document";

// The documents must not depend on this machine's configuration, so these values are fixed.
Object.assign(process.env, {
  BASE_URL: "http://localhost:3000",
  DOCS_URL: "http://localhost:3000/docs",
  DATABASE_URL: "postgresql://localhost/unused",
  ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
});
// Signed URLs of files in the examples contain their expiry time, so the clock is fixed.
setClock({ offsetMs: 0, frozenAt: new Date("2026-02-03T12:00:00Z") });

registerDependencies();

const API = {
  title: "Trunkline",
  description:
    "Partner messaging and payments. Every response has an `X-Trace-ID` header. All errors use the same envelope.",
  prefixes: ["", "/api/partner"],
};
const SIMULATOR = {
  title: "Trunkline simulator",
  description:
    "Simulated phones and lines for sandbox accounts. Their actions appear in the API and in webhooks, as real ones do.",
  prefixes: [""],
};

const operations = operationsOf(routes);
const ofSimulator = operations.filter(({ path }) => path.startsWith("/simulator"));
const ofApi = operations.filter((operation) => !ofSimulator.includes(operation));

write("openapi.json", toOpenApi(API, ofApi, describeWebhooks()));
write("openapi-simulator.json", toOpenApi(SIMULATOR, ofSimulator));
write("lib/identity/users/role-operations.json", operationsByRight(operationsOf(privateRoutes)));
writeText("docs/settings.md", settingsDocument(Settings.shape));
writeText("README.md", withCommonSettings(readFileSync("README.md", "utf8"), Settings.shape));

function write(file: string, document: object): void {
  writeText(file, `${JSON.stringify(document, null, 2)}\n`);
}

function writeText(file: string, wanted: string): void {
  const current = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (wanted !== current) {
    process.stderr.write(`${file} is stale: run \`npm run openapi\` and commit it.\n`);
    process.exitCode = 1;
  }
}
