// npx node scripts/lab/failover.mjs [--asynchronous] [--after-seconds 2]: the steps of docs/scaling.md#failover, with Debian's
// PostgreSQL (apt install postgresql). Sends messages, kills the primary with all its processes, promotes the standby, moves
// the address, and checks that every accepted message exists, was sent, and was sent once.
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { findDebianPostgres } from "../../lib/testing/database/debian-postgres.ts";
import { buildServerIfStale } from "../build.mjs";
import { readFirstRun } from "../instance/open-instance.mjs";
import { SHORT_LEASES } from "../instance/short-leases.mjs";
import { startServer } from "../instance/start-server.mjs";
import { startWorker } from "../instance/start-worker.mjs";
import { WITHOUT_LIMITS } from "../instance/without-limits.mjs";
import { startAddress } from "./failover/start-address.mjs";
import { startPair } from "./failover/start-pair.mjs";
import { startBalancedLoad } from "./rolling-restart/start-balanced-load.mjs";

const ANSWERS_BEFORE = 500;
const ACCEPTED_AFTER = 200;
const LOOK_MS = 20;
const LIMIT_MS = 120_000;
const SETTLE_MS = 90_000;

const { values } = parseArgs({
  options: {
    asynchronous: { type: "boolean", default: false },
    "after-seconds": { type: "string", default: "2" },
  },
});
const bin = findDebianPostgres();
if (bin === undefined) {
  process.stdout.write("Debian's PostgreSQL is not installed (apt install postgresql).\n");
  process.exit(1);
}

const directory = mkdtempSync(path.join(os.tmpdir(), "trunkline-failover-"));
chmodSync(directory, 0o711);
await buildServerIfStale();
const pair = await startPair({
  bin,
  directory: path.join(directory, "pair"),
  isSynchronous: !values.asynchronous,
});
const address = await startAddress(pair.primaryPort);
const env = {
  DATABASE_URL: `postgresql://trunkline@127.0.0.1:${address.port}/trunkline`,
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  DATA_DIR: path.join(directory, "data"),
  SEED_DEMO: "1",
  DASHBOARD: "off",
  ...WITHOUT_LIMITS,
  ...SHORT_LEASES,
};
const web = await startServer({ ...env, ROLE: "web" });
const worker = await startWorker(env);
const demo = readFirstRun(env.DATA_DIR);
const load = startBalancedLoad({
  targets: [web.baseUrl],
  token: demo.token,
  pauseMs: 5,
  body: (turn) => ({
    from: demo.line,
    to: [demo.phone],
    message: { parts: [{ type: "text", value: `failover ${turn} ${randomUUID()}` }] },
  }),
});
await until(() => load.answered() >= ANSWERS_BEFORE);
const killedAt = performance.now();
pair.kill();
await sleep(Number(values["after-seconds"]) * 1000);
await pair.promote();
address.move(pair.standbyPort);
const movedAt = performance.now();
const database = new pg.Client({
  connectionString: `postgresql://postgres@127.0.0.1:${pair.standbyPort}/trunkline`,
});
await database.connect();
const countMessages = async () => {
  const { rows } = await database.query("select count(*)::int as count from messages");
  return rows[0].count;
};
const atMove = await countMessages();
await until(async () => (await countMessages()) > atMove);
const acceptedAgainMs = performance.now() - movedAt;
await until(async () => (await countMessages()) > atMove + ACCEPTED_AFTER);
const { accepted, failures } = await load.stop();

const missing = await count("not exists (select from messages m where m.id = accepted)");
const unsent = async () =>
  count("not exists (select from messages m where m.id = accepted and m.sent_at is not null)");
const deadline = performance.now() + SETTLE_MS;
while ((await unsent()) > 0 && performance.now() < deadline) await sleep(200);
const left = await unsent();
const { rows } = await database.query(
  `select count(*)::int as count from (
     select parts from simulator_messages group by parts having count(*) > 1) repeated`,
);
const repeated = rows[0].count;
await Promise.all([web.stop(), worker.stop()]);
await database.end();
await address.close();
await pair.stop();
rmSync(directory, { recursive: true, force: true });

// A failure begins with the status of its response.
const statuses = [...new Set(failures.map((failure) => failure.split(" ", 1)[0]))].join(", ");
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
process.stdout.write(
  `${values.asynchronous ? "asynchronous" : "synchronous"} standby: ${accepted.length} accepted, ${missing} missing, ${left} not sent, ` +
    `${repeated} sent twice; ${failures.length} requests failed (${statuses}) in ${seconds(movedAt - killedAt)} without a database; ` +
    `the next message was accepted ${seconds(acceptedAgainMs)} after the move\n`,
);
// Without a synchronous standby, commits that were not replicated are lost.
process.exit((missing === 0 || values.asynchronous) && left === missing && repeated === 0 ? 0 : 1);

async function count(condition) {
  const text = `select count(*)::int as count from unnest($1::uuid[]) accepted where ${condition}`;
  const { rows: found } = await database.query(text, [accepted]);
  return found[0].count;
}

async function until(isTrue) {
  const latest = performance.now() + LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > latest) throw new Error(`Trunkline did not go on within ${LIMIT_MS / 1000} s`);
    await sleep(LOOK_MS);
  }
}
