// npx node scripts/lab/failover.mjs [--asynchronous] [--after-seconds 2]: the steps of docs/scaling.md#failover, with Debian's
// PostgreSQL (apt install postgresql). Sends messages, kills the primary with all its processes, promotes the standby, moves
// the address, and checks that every accepted message exists, was sent, and was sent once. Some are scheduled: they leave
// not before their time, and what was canceled never leaves.
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { findDebianPostgres } from "../../lib/testing/database/debian-postgres.ts";
import { buildServerIfStale } from "../build.mjs";
import { callInstance } from "../instance/call-instance.mjs";
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
/** Every so many sends of a client is scheduled, a few seconds ahead: not more than may wait in a chat. */
const SCHEDULED_EVERY = 20;
/** Scheduled before the primary is killed, for about the time at which the standby is promoted; every second is canceled. */
const PLANNED = 20;
const PLANNED_MS = 10_000;
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
  body: (turn) => (turn % SCHEDULED_EVERY === 0 ? later(1000 + (turn % 3000)) : toBody("failover")),
});
await until(() => load.answered() >= ANSWERS_BEFORE);
const planned = await plan();
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
const { accepted: sent, failures } = await load.stop();
const accepted = [...sent, ...planned.kept];

const missing = await count(`not exists (select from messages m where m.id = accepted)
  and not exists (select from scheduled_messages s where s.id = accepted and s.due_at is not null)`);
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
const scheduled = await count(
  "exists (select from messages m where m.id = accepted and m.parts -> 0 ->> 'value' like 'later %')",
);
// A scheduled message is stored as of its time.
const early = await count(
  "exists (select from messages m where m.id = accepted and m.sent_at < m.created_at)",
);
const uncanceled = await count("exists (select from messages m where m.id = accepted)", planned.canceled);
await Promise.all([web.stop(), worker.stop()]);
await database.end();
await address.close();
await pair.stop();
rmSync(directory, { recursive: true, force: true });

// A failure begins with the status of its response.
const statuses = [...new Set(failures.map((failure) => failure.split(" ", 1)[0]))].join(", ");
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
process.stdout.write(
  `${values.asynchronous ? "asynchronous" : "synchronous"} standby: ${accepted.length} accepted (${scheduled} scheduled), ${missing} missing, ${left} not sent, ` +
    `${repeated} sent twice, ${early} sent early, ${uncanceled} of ${planned.canceled.length} sent although canceled; ${failures.length} requests failed (${statuses}) in ${seconds(movedAt - killedAt)} without a database; ` +
    `the next message was accepted ${seconds(acceptedAgainMs)} after the move\n`,
);
// Without a synchronous standby, commits that were not replicated are lost.
const isKept = (missing === 0 && uncanceled === 0) || values.asynchronous;
process.exit(isKept && left === missing && repeated === 0 && early === 0 ? 0 : 1);

function toBody(text) {
  const message = { parts: [{ type: "text", value: `${text} ${randomUUID()}` }] };
  return { from: demo.line, to: [demo.phone], message };
}

function later(ms) {
  return { ...toBody("later"), send_at: new Date(Date.now() + ms).toISOString() };
}

/** Schedules messages and cancels every second one. Returns the ids of both. */
async function plan() {
  const program = { baseUrl: web.baseUrl, token: demo.token };
  const ids = [];
  for (let place = 0; place < PLANNED; place++) {
    const { chat } = await callInstance(program, "POST /v3/chats", later(PLANNED_MS));
    ids.push(chat.message.id);
  }
  const canceled = ids.filter((_, place) => place % 2 === 0);
  for (const id of canceled) await callInstance(program, `DELETE /v3/scheduled_messages/${id}`);
  return { kept: ids.filter((id) => !canceled.includes(id)), canceled };
}

async function count(condition, ids = accepted) {
  const text = `select count(*)::int as count from unnest($1::uuid[]) accepted where ${condition}`;
  const { rows: found } = await database.query(text, [ids]);
  return found[0].count;
}

async function until(isTrue) {
  const latest = performance.now() + LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > latest) throw new Error(`Trunkline did not go on within ${LIMIT_MS / 1000} s`);
    await sleep(LOOK_MS);
  }
}
