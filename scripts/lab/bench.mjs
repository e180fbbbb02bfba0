// npm run bench: measures the performance of this machine in one run, with its own database. --quick: fewer and shorter
// rounds. --only searches,streams: only these parts. --write docs/benchmarks.md: also inserts the report between the
// markers in that document.
import path from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { startServer } from "../instance/start-server.mjs";
import { describeMachine } from "./bench/describe-machine.mjs";
import { findTools } from "./bench/find-tools.mjs";
import { loadAcceptStatement } from "./bench/load-accept-statement.mjs";
import { measureDeliveries } from "./bench/measure-deliveries.mjs";
import { measureFiles } from "./bench/measure-files.mjs";
import { measureFlood } from "./bench/measure-flood.mjs";
import { measureInbound } from "./bench/measure-inbound.mjs";
import { measureIdle, measureLife } from "./bench/measure-life.mjs";
import { fillChats, fillMessages, measureLists } from "./bench/measure-lists.mjs";
import { measureSearches } from "./bench/measure-searches.mjs";
import { measureSends } from "./bench/measure-sends.mjs";
import { measureStart } from "./bench/measure-start.mjs";
import { measureStreams } from "./bench/measure-streams.mjs";
import { measureWebhooks } from "./bench/measure-webhooks.mjs";
import { openDatabases } from "./bench/open-databases.mjs";
import { CHATS, openStage } from "./bench/open-stage.mjs";
import { profileProcess } from "./bench/profile-process.mjs";
import { renderReport } from "./bench/render-report.mjs";
import { runMeasurement } from "./bench/run-measurement.mjs";
import { writePgbenchScript } from "./bench/run-pgbench.mjs";
import { sendRequests } from "./bench/send-requests.mjs";
import { STATEMENT_COUNTS, trackStatements } from "./bench/statement-counts.mjs";
import { writeDocument } from "./bench/write-document.mjs";
import { writeResult } from "./bench/write-result.mjs";

const FULL = {
  sends: { connections: [1, 10, 50], rounds: 5, seconds: 2 },
  webhooks: { perSecond: 200, seconds: 4, rounds: 5 },
  deliveries: {
    ...{ backlog: 6000, connections: 50, seconds: 1, rounds: 5 },
    orders: [
      { chats: 1000, backlog: 6000 },
      { chats: 10, backlog: 400 },
    ],
  },
  streams: { listeners: 1000, sendsPerSecond: 5, seconds: 4, rounds: 5 },
  inbound: { connections: [10, 50], rounds: 5, seconds: 2 },
  life: { connections: [1, 10, 50], rounds: 5, seconds: 2 },
  flood: {
    connections: 50,
    perSecond: 50,
    rounds: 5,
    seconds: 3,
    warmUpMs: 500,
    bodies: { connections: 400, megabytes: 1 },
  },
  idle: { seconds: 60 },
  start: { rounds: 5 },
  files: { megabytes: 64, rounds: 5 },
  lists: { rounds: 5, requests: 100, small: 10_000, large: 1_000_000 },
  searches: { rounds: 5, searches: 100, hostileEvents: 20_000 },
};
const QUICK = {
  sends: { connections: [10, 50], rounds: 2, seconds: 1 },
  webhooks: { perSecond: 200, seconds: 3, rounds: 1 },
  deliveries: {
    ...{ backlog: 2000, connections: 50, seconds: 1, rounds: 2 },
    orders: [
      { chats: 1000, backlog: 2000 },
      { chats: 10, backlog: 200 },
    ],
  },
  streams: { listeners: 1000, sendsPerSecond: 5, seconds: 2, rounds: 2 },
  inbound: { connections: [10], rounds: 2, seconds: 1 },
  life: { connections: [1, 10, 50], rounds: 2, seconds: 1 },
  flood: {
    connections: 50,
    perSecond: 50,
    rounds: 2,
    seconds: 2,
    warmUpMs: 500,
    bodies: { connections: 400, megabytes: 1 },
  },
  idle: { seconds: 15 },
  start: { rounds: 2 },
  files: { megabytes: 32, rounds: 2 },
  lists: { rounds: 2, requests: 50, small: 10_000, large: 100_000 },
  searches: { rounds: 2, searches: 50, hostileEvents: 20_000 },
};

const PARTS = Object.keys(FULL);

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: PARTS.join(",") },
    write: { type: "string" },
  },
});
const chosen = new Set(values.only.split(","));
const unknown = [...chosen].filter((part) => !PARTS.includes(part));
if (unknown.length > 0 || (chosen.size < PARTS.length && values.write !== undefined)) {
  const problem = unknown.length > 0 ? `Unknown part: ${unknown.join(", ")}` : "--write needs all parts";
  process.stderr.write(`${problem}. The parts are ${PARTS.join(", ")}.\n`);
  process.exit(1);
}
const report = (line) => process.stdout.write(`${line}\n`);
const stops = [];

await runMeasurement(() => bench(values.quick ? QUICK : FULL), stops);

async function bench(plan) {
  if (Number(process.versions.node.split(".")[0]) < 24) throw new Error("start it with `npm run bench`");
  const tools = findTools();
  for (const line of tools.missing) report(line);
  await buildIfStale();

  const names = ["withoutWorker", "withWorker"];
  const databases = await openDatabases({ names, settings: STATEMENT_COUNTS });
  stops.push(databases.close);
  // Only one part counts statements. The others run as in production.
  await trackStatements(databases.admin, "none");
  const stage = await openStage(databases);
  stops.push(stage.close);

  const context = { tools, databases, report };
  const { withWorker, workerTenant, receiver } = stage;
  const steady = { server: withWorker, tenant: workerTenant, database: databases.withWorker, receiver };
  const measured = {};
  if (chosen.has("sends")) {
    const contenders = [
      ...stage.contenders,
      ...pgbenchOf(tools, await loadAcceptStatement(), databases, stage),
    ];
    await warmUp(contenders, context);
    measured.sends = await measureSends(contenders, { ...plan.sends, ...context });
    await stage.stopOthers();
    measured.profiles = await profileSends(stage, plan, context);
  } else {
    await stage.stopOthers();
  }
  // In this order: the lists fill the databases, and stop the servers of the parts before.
  const measure = {
    webhooks: (part) => measureWebhooks({ ...part, ...steady, report }),
    deliveries: (part) => measureDeliveries({ ...part, ...steady, databases, report }),
    streams: (part) => measureStreams({ ...part, ...steady, report }),
    inbound: (part) => measureInbound({ ...part, ...steady, ...context, chats: CHATS }),
    life: (part) => measureLife({ ...part, ...steady, ...context, chats: CHATS }),
    flood: (part) => measureFlood({ ...steady, plan: part, chats: CHATS, report }),
    idle: (part) => measureIdle({ ...part, ...steady, ...context }),
    start: (part) =>
      measureStart({ ...part, folder: databases.dataDir, env: databases.withWorker.env, report }),
    files: (part) =>
      measureFiles({ ...part, ...steady, folder: path.join(databases.dataDir, "measured"), report }),
    lists: (part) => benchLists(stage, databases, part),
    searches: (part) => measureSearches({ ...part, database: databases.withoutWorker, report }),
  };
  for (const [name, run] of Object.entries(measure)) {
    if (chosen.has(name)) measured[name] = await run(plan[name]);
  }

  const machine = describeMachine(databases, tools);
  const result = { machine, plan, ...measured };
  report(renderReport(result));
  if (values.write !== undefined) writeDocument(values.write, renderReport(result), machine);
  report(`\nAll measurements: ${writeResult(result)}`);
}

// Lets V8 optimize the code and updates the planner statistics, as on an instance that has run for a while.
async function warmUp(contenders, context) {
  const once = { connections: [10], rounds: 1, seconds: 1, report: () => undefined };
  await measureSends(contenders, { ...context, ...once });
  const { withoutWorker, withWorker } = context.databases;
  for (const database of [withoutWorker, withWorker]) await database.query("analyze");
}

function pgbenchOf(tools, statement, databases, { tenant }) {
  if (tools.pgbench === null) return [];
  const database = databases.withoutWorker;
  const script = writePgbenchScript(statement, CHATS, databases.dataDir);
  const pgbench = { script, databaseUrl: database.url, accountId: tenant.accountId, sandbox: false };
  return [{ name: "pgbench", database, pgbench }];
}

async function profileSends({ web, tenant, targetOn }, { sends }, { tools, databases }) {
  const profiles = [];
  for (const connections of sends.connections.slice(-2)) {
    await databases.withoutWorker.settle();
    const load = { wrk: tools.wrk, connections, seconds: sends.seconds };
    const { result, seconds } = await profileProcess(web, () => sendRequests(targetOn(web, tenant), load));
    profiles.push({ connections, requests: result.requests, seconds });
  }
  return profiles;
}

async function benchLists(stage, databases, plan) {
  const withMessages = async (name, database, tenant, running, count) => {
    await running.stop();
    report(`filling a database with ${count} messages and ${count} chats`);
    const chats = await fillMessages(database, count);
    await fillChats(database, tenant.accountId, { from: CHATS, count });
    const server = await startServer({ ...database.env, ROLE: "web" });
    stops.push(server.stop);
    return { name, baseUrl: server.baseUrl, token: tenant.token, chats, messages: count };
  };
  const { withoutWorker, withWorker } = databases;
  const servers = [
    await withMessages("small", withoutWorker, stage.tenant, stage.web, plan.small),
    await withMessages("large", withWorker, stage.workerTenant, stage.withWorker, plan.large),
  ];
  return measureLists(servers, { ...plan, report });
}
