// npx node scripts/lab/upgrade-under-load.mjs --from <commit>: replaces two web processes and two workers of an older version by
// this one, one at a time, under load. Then checks that no client request failed, that no message was lost, and that every
// webhook arrived. Installs the older version's packages into a temporary folder.
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildServerIfStale } from "../build.mjs";
import { openCluster } from "../instance/open-cluster.mjs";
import { checkOutVersion, hasVersion } from "./upgrade/check-out-version.mjs";
import { runUpgrade } from "./upgrade/run-upgrade.mjs";

const { values } = parseArgs({ options: { from: { type: "string" } } });
const say = (line) => process.stdout.write(`${line}\n`);
if (values.from === undefined || !hasVersion(values.from)) {
  say("--from <commit> must name a commit of this repository.");
  process.exit(1);
}

const dataDir = path.join(os.tmpdir(), `trunkline-upgrade-${process.pid}`);
say(`Installing and building ${values.from}`);
const version = checkOutVersion(values.from, { install: true });
await buildServerIfStale();
const cluster = await openCluster(dataDir);
const result = await runUpgrade({ cluster, cwd: version.cwd, say }).finally(async () => {
  await cluster.close();
  version.remove();
});

const { inbound } = result;
const problems = [
  ...result.failures.map((failure) => `a request failed: ${failure}`),
  ...(result.unsent === 0 ? [] : [`${result.unsent} accepted messages were not sent`]),
  ...(result.unreported === 0 ? [] : [`${result.unreported} webhooks did not arrive`]),
  ...(inbound.lost === 0 ? [] : [`${inbound.lost} accepted messages of the phone were not stored`]),
  ...(inbound.doubled === 0 ? [] : [`${inbound.doubled} messages of the phone were stored twice`]),
  ...(inbound.unreported === 0 ? [] : [`${inbound.unreported} messages of the phone were not reported`]),
];
say(
  `\n${result.migrations} migrations; ${result.answered} requests answered, ${result.refused} connections refused and made elsewhere, ` +
    `${result.failures.length} failed; ${result.accepted.length} messages accepted, ${result.unsent} not sent; ` +
    `${inbound.accepted} messages received, ${inbound.lost} not stored, ${inbound.doubled} stored twice; ` +
    `${result.repeated} webhooks arrived again`,
);
for (const problem of problems) say(`PROBLEM  ${problem}`);
if (problems.length === 0) rmSync(dataDir, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);
