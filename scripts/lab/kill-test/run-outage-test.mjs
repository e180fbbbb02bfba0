import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createCluster, dataFolder } from "../../../lib/platform/postgres/create-cluster.ts";
import { startEmbeddedPostgres } from "../../../lib/platform/postgres/embedded-postgres.ts";
import { findPostgresBinaries } from "../../../lib/platform/postgres/postgres-binaries.ts";
import { openPostgresHome } from "../../../lib/platform/postgres/postgres-home.ts";
import { ensurePostmaster, stopPostmaster } from "../../../lib/platform/postgres/postmaster.ts";
import { sendRequest } from "../../instance/call-instance.mjs";
import { SHORT_LEASES } from "../../instance/short-leases.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { startServer } from "../../instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../../instance/without-limits.mjs";
import { checkOutcome } from "./check-outcome.mjs";
import { drained, pauseAutoFlag, prepareAccount } from "./run-kill-test.mjs";
import { startSenders } from "./start-senders.mjs";

const BACK_MS = 60_000;
const BEFORE_MS = 700;
const MAX_CONNECTIONS = 20;

/**
 * Keeps a server busy with sends and inbound messages while its database is unavailable: killed and restarted by the
 * server (`kill`), stopped (`stop`) or unresponsive (`pause`) for some seconds. The server process itself is never
 * stopped. Resolves with the duration of each recovery in seconds and the problems. Does not delete the data directory.
 */
export async function runOutageTest({ dataDir, outages, say, senders: count }) {
  const isEmbedded = outages.every((outage) => outage.type === "kill");
  const database = isEmbedded ? embeddedDatabase(dataDir) : await ownDatabase(dataDir);
  const receiver = await startReceiver();
  const server = await startServer({
    ...WITHOUT_LIMITS,
    ...SHORT_LEASES,
    ...database.env,
    DATA_DIR: dataDir,
    ROLE: "all",
  });
  try {
    const client = await prepareAccount(dataDir, server.baseUrl, receiver.url);
    await withClient(await database.url(), (query) => pauseAutoFlag({ query }));
    const senders = startSenders({ ...client, senders: count });
    const recoveries = [];
    const problems = [];
    for (const outage of outages) {
      await sleep(BEFORE_MS + Math.random() * 500);
      const { recoverySeconds, wrong } = await measureOutage({ outage, database, server, client });
      recoveries.push({ ...outage, recoverySeconds });
      problems.push(...wrong.map((what) => `${nameOf(outage)}: ${what}`));
      say(`${nameOf(outage)}: sends are accepted again ${recoverySeconds} s later`);
    }
    await sleep(BEFORE_MS);
    const emitted = await senders.finish();
    say("waiting for the work to end");
    const outcome = await withClient(await database.url(), async (query) => {
      const drainSeconds = await drained({ query });
      const listeners = await query(
        "select pid from pg_stat_activity where application_name = 'trunkline-listen'",
      );
      if (listeners.length !== 1) problems.push(`${listeners.length} LISTEN connections`);
      const open = await query("select pid from pg_stat_activity where usename = current_user");
      if (open.length > MAX_CONNECTIONS) problems.push(`${open.length} connections are open`);
      return checkOutcome({ database: { query }, emitted, received: await receiver.report(), drainSeconds });
    });
    if (!server.isRunning()) problems.push(`the server ended:\n${server.output()}`);
    return { recoveries, details: outcome.details, problems: [...problems, ...outcome.problems] };
  } finally {
    await server.stop();
    receiver.stop();
    await database.close();
  }
}

export function nameOf({ type, seconds }) {
  return seconds === undefined ? type : `${type} ${seconds} s`;
}

async function measureOutage({ outage, database, server, client }) {
  const wrong = [];
  await database.begin(outage);
  if (outage.seconds !== undefined) {
    const until = Date.now() + outage.seconds * 1000;
    await sleep(Math.min(2500, outage.seconds * 800));
    const [ready, health] = await Promise.all([statusOf(server, "/ready"), statusOf(server, "/health")]);
    if (ready !== 503) wrong.push(`/ready answers ${ready} without a database`);
    if (health !== 200) wrong.push(`/health answers ${health}`);
    await sleep(Math.max(0, until - Date.now()));
    await database.end(outage);
  }
  const from = performance.now();
  const deadline = Date.now() + BACK_MS;
  for (;;) {
    if ((await isSendAccepted(client)) && (await statusOf(server, "/ready")) === 200) break;
    if (Date.now() > deadline) {
      wrong.push("the service did not come back within a minute");
      break;
    }
    await sleep(20);
  }
  return { recoverySeconds: Math.round((performance.now() - from) / 10) / 100, wrong };
}

/** A typing indicator is the cheapest write, and it stores nothing that the final check would have to account for. */
async function isSendAccepted({ baseUrl, token, chats }) {
  const signal = AbortSignal.timeout(15_000);
  return sendRequest({ baseUrl, token }, `POST /v3/chats/${chats[0].id}/typing`, undefined, { signal }).then(
    ({ status }) => status < 300,
    () => false,
  );
}

async function statusOf({ baseUrl }, where) {
  return fetch(baseUrl + where, { signal: AbortSignal.timeout(3000) }).then(
    ({ status }) => status,
    (error) => error.message,
  );
}

/** The server's embedded PostgreSQL. The server restarts it when its postmaster was killed. */
function embeddedDatabase(dataDir) {
  const pidFile = path.join(dataDir, "postgres", "data", "postmaster.pid");
  let shared;
  return {
    env: { DATABASE_URL: "" },
    async url() {
      shared ??= await startEmbeddedPostgres({ dataDir, share: true });
      return shared.url;
    },
    begin: async () => process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGKILL"),
    close: async () => shared?.stop(),
  };
}

/** A separate PostgreSQL that only this test restarts. */
async function ownDatabase(dataDir) {
  const first = await startEmbeddedPostgres({ dataDir });
  await first.stop();
  const home = openPostgresHome(dataDir, () => undefined);
  const cluster = { home, binaries: await findPostgresBinaries(home.user), settings: {} };
  await createCluster(cluster);
  const port = Number(new URL(first.url).port);
  let postmaster = await ensurePostmaster(cluster, port);
  return {
    env: {
      DATABASE_URL: first.url,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      SEED_DEMO: "1",
      // Allows the test's webhook endpoint on loopback.
      WEBHOOK_SANDBOX_LOOPBACK: "1",
    },
    url: async () => first.url,
    async begin({ type }) {
      if (type === "stop") return stopPostmaster(cluster, postmaster);
      signalServer(realpathSync(dataFolder(home)), "SIGSTOP");
    },
    async end({ type }) {
      if (type === "stop") postmaster = await ensurePostmaster(cluster, port);
      else signalServer(realpathSync(dataFolder(home)), "SIGCONT");
    },
    close: () => stopPostmaster(cluster, postmaster),
  };
}

/** Sends a signal to every process of the data directory: the postmaster and the backends. */
function signalServer(data, signal) {
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${entry}/stat`, "utf8");
      if (command.includes("(postgres)") && readlinkSync(`/proc/${entry}/cwd`) === data)
        process.kill(Number(entry), signal);
    } catch {
      // The process has exited.
    }
  }
}

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}
