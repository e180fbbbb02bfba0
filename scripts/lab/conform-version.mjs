// npx node scripts/lab/conform-version.mjs [--from HEAD~1]: starts the server of another commit with the demo, and
// compares it with this version's contract by `trunkline conform`. Prints the differences. Installs the commit's packages
// into a temporary folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildServerIfStale } from "../build.mjs";
import { findFreePort } from "../instance/find-free-port.mjs";
import { readFirstRun } from "../instance/open-instance.mjs";
import { startServer } from "../instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../instance/without-limits.mjs";
import { checkOutVersion, hasVersion } from "./upgrade/check-out-version.mjs";

const { values } = parseArgs({ options: { from: { type: "string", default: "HEAD~1" } } });
if (!hasVersion(values.from)) {
  process.stderr.write("--from must name a commit of this repository.\n");
  process.exit(2);
}

process.stdout.write(`Installing and building ${values.from}\n`);
await buildServerIfStale();
const version = checkOutVersion(values.from, { install: true });
const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-conform-"));
let server;
try {
  // The version is built without pages.
  const env = { DATA_DIR: dataDir, DATABASE_URL: "", DASHBOARD: "off", ...WITHOUT_LIMITS };
  server = await startServer(env, version.cwd);
  const { token } = readFirstRun(dataDir);
  const listen = `127.0.0.1:${await findFreePort()}`;
  const args = ["scripts/trunkline.mjs", "conform", server.baseUrl, "--phones", "--listen", listen];
  const run = spawn(process.execPath, args, {
    stdio: "inherit",
    env: { ...process.env, TRUNKLINE_TOKEN: token },
  });
  [process.exitCode] = await once(run, "exit");
} finally {
  await server?.stop();
  version.remove();
  rmSync(dataDir, { recursive: true, force: true });
}
