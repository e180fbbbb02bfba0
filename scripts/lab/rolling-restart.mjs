// npx node scripts/lab/rolling-restart.mjs: replaces two web processes and two workers, one at a time, under load. Then checks
// that no client request failed and no message was lost.
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildIfStale } from "../build.mjs";
import { openCluster } from "../instance/open-cluster.mjs";
import { runRollingRestart } from "./rolling-restart/run-rolling-restart.mjs";

const MAX_STOP_MS = 2000;
const SETTLE_MS = 60_000;

const dataDir = path.join(os.tmpdir(), `trunkline-rolling-restart-${process.pid}`);
await buildIfStale();
const cluster = await openCluster(dataDir);
const webs = [await cluster.startWeb(), await cluster.startWeb()];
const workers = [await cluster.startWorker(), await cluster.startWorker()];
const result = await runRollingRestart({
  cluster,
  webs,
  workers,
  demo: cluster.firstRun(),
  say: (line) => process.stdout.write(`${line}\n`),
});
const unsent = await countUnsent(result.accepted);
await Promise.all([...result.webs, ...result.workers].map((each) => each.stop()));
await cluster.close();

const problems = [
  ...result.failures.map((failure) => `a request failed: ${failure}`),
  ...(unsent === 0 ? [] : [`${unsent} accepted messages were not sent`]),
  ...result.stops
    .filter(({ afterLastMs }) => afterLastMs > MAX_STOP_MS)
    .map(({ name, afterLastMs }) => `a ${name} took ${afterLastMs} ms to stop after its last request`),
];
process.stdout.write(
  `\n${result.answered} requests answered, ${result.refused} connections refused and made elsewhere, ${result.failures.length} failed\n`,
);
for (const { name, tookMs, afterLastMs } of result.stops)
  process.stdout.write(`${name}: stopped in ${tookMs} ms, ${afterLastMs} ms after its last request\n`);
for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
if (problems.length === 0) rmSync(dataDir, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);

async function countUnsent(ids) {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const [{ count }] = await cluster.query(
      `select count(*)::int from unnest($1::uuid[]) accepted where not exists (
         select from messages m where m.id = accepted and m.sent_at is not null)`,
      [ids],
    );
    if (count === 0 || Date.now() > deadline) return count;
    await sleep(200);
  }
}
