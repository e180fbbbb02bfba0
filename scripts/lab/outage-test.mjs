// npx node scripts/lab/outage-test.mjs [--kills 20]: repeatedly makes the database of a working production server unavailable:
// its postmaster killed; stopped for 3, 20 and 60 seconds; paused (SIGSTOP) for 20 seconds. Then checks with the
// database, the phones and the webhook endpoint that nothing was lost, repeated or invented. Requires Linux.
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { nameOf, runOutageTest } from "./kill-test/run-outage-test.mjs";

const { values } = parseArgs({ options: { kills: { type: "string", default: "20" } } });
const say = (line) => process.stdout.write(`${line}\n`);
const RUNS = [
  Array.from({ length: Number(values.kills) }, () => ({ type: "kill" })),
  [
    { type: "stop", seconds: 3 },
    { type: "stop", seconds: 20 },
    { type: "stop", seconds: 60 },
    { type: "pause", seconds: 20 },
  ],
].filter((outages) => outages.length > 0);

await buildIfStale();
let failed = false;
for (const [at, outages] of RUNS.entries()) {
  const dataDir = path.join(os.tmpdir(), `trunkline-outage-test-${process.pid}-${at}`);
  const { recoveries, details, problems } = await runOutageTest({ dataDir, outages, say });
  for (const recovery of recoveries)
    say(`${String(recovery.recoverySeconds).padStart(8)}  s to recover from ${nameOf(recovery)}`);
  for (const [name, value] of Object.entries(details)) say(`${String(value).padStart(8)}  ${name}`);
  for (const problem of problems) say(`PROBLEM  ${problem}`);
  if (problems.length > 0) say(`The database is kept in ${dataDir}`);
  else rmSync(dataDir, { recursive: true, force: true });
  failed ||= problems.length > 0;
}
say(failed ? "" : "\nNothing lost, repeated or invented.");
process.exit(failed ? 1 : 0);
