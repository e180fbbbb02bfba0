// npx node scripts/lab/kill-test.mjs [--kills 20]: repeatedly kills the production server while it works. Then checks with the
// database, the phones and the webhook endpoint that nothing was lost, repeated or invented.
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { runKillTest } from "./kill-test/run-kill-test.mjs";

const { values } = parseArgs({ options: { kills: { type: "string", default: "20" } } });
if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(
    "Run it with the Node 24 that `npm install` brings: npx node scripts/lab/kill-test.mjs\n",
  );
  process.exit(1);
}

const dataDir = path.join(os.tmpdir(), `trunkline-kill-test-${process.pid}`);
await buildIfStale();
const { details, problems } = await runKillTest({
  dataDir,
  kills: Number(values.kills),
  say: (line) => process.stdout.write(`${line}\n`),
});

process.stdout.write("\n");
for (const [name, value] of Object.entries(details))
  process.stdout.write(`${String(value).padStart(8)}  ${name}\n`);
for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
process.stdout.write(problems.length === 0 ? "\nNothing lost, repeated or invented.\n" : "\n");
if (problems.length === 0) rmSync(dataDir, { recursive: true, force: true });
else process.stdout.write(`The database is kept in ${dataDir}\n`);
process.exit(problems.length === 0 ? 0 : 1);
