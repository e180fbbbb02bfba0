import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds, cpuSecondsWithChildren, otherProgramsCpuSeconds } from "./cpu-seconds.mjs";
import { runPgbench } from "./run-pgbench.mjs";
import { sendRequests } from "./send-requests.mjs";
import { orderOf } from "./statistics.mjs";

const CATCH_UP_MS = 60_000;

/**
 * Measures accepted sends per second: every contender once per round and number of connections, in alternating order.
 * Resolves with one row per measurement.
 */
export async function measureSends(contenders, { connections, rounds, seconds, tools, databases, report }) {
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    for (const count of connections) {
      for (const contender of orderOf(contenders, round)) {
        const row = await measureOnce(contender, { connections: count, seconds, tools, databases });
        rows.push({ contender: contender.name, connections: count, round, ...row });
        report(
          `round ${round + 1}/${rounds}, ${count} connections, ${contender.name}: ${row.perSecond.toFixed(0)}/s`,
        );
      }
    }
  }
  return rows;
}

async function measureOnce(contender, { connections, seconds, tools, databases }) {
  const { database } = contender;
  await database?.settle();
  const newerThan = database && (await newestId(database));
  const from = performance.now();
  const before = usedBy(contender, databases);
  const result = await loadOn(contender, { connections, seconds, tools });
  const after = usedBy(contender, databases);
  const elapsed = (performance.now() - from) / 1000;

  if (result.failed > 0) throw new Error(`${contender.name}: ${result.failed} requests failed`);
  const stored = database && (await countStored(database, newerThan, result.requests));
  return {
    ...result,
    nodeMicroseconds: ((after.node - before.node) * 1e6) / result.requests,
    postgresMicroseconds: ((after.postgres - before.postgres) * 1e6) / result.requests,
    coresUsed: {
      node: (after.node - before.node) / elapsed,
      postgres: (after.postgres - before.postgres) / elapsed,
      others: (after.others - before.others) / elapsed,
    },
    ...(contender.hasWorker && (await catchUp(database, stored))),
  };
}

function usedBy(contender, databases) {
  return {
    node: contender.pid === undefined ? Number.NaN : cpuSeconds(contender.pid),
    postgres: contender.database === undefined ? Number.NaN : cpuSecondsWithChildren(databases.pid),
    others: otherProgramsCpuSeconds(),
  };
}

async function loadOn(contender, { connections, seconds, tools }) {
  if (contender.pgbench !== undefined) {
    return runPgbench({ ...contender.pgbench, pgbench: tools.pgbench, connections, seconds });
  }
  const result = await sendRequests(contender.target, { wrk: tools.wrk, connections, seconds });
  return { ...result, perSecond: result.requests / result.seconds };
}

// Every message that got a response must be stored. Sends that were interrupted at the end can be stored too.
async function countStored(database, newerThan, answered) {
  const [stored] = await database.query(
    "select count(*)::int as all, count(sent_at)::int as sent from messages where id > $1",
    [newerThan],
  );
  if (stored.all >= answered) return stored;
  throw new Error(`${answered} sends were answered, but only ${stored.all} messages are stored`);
}

// Ids increase with time, so the new messages are a range of the index, however many there were before.
async function newestId(database) {
  const [{ id }] = await database.query(
    "select coalesce((select id from messages order by id desc limit 1), uuidv7()) as id",
  );
  return id;
}

async function catchUp(database, stored) {
  const from = performance.now();
  while (await hasWork(database)) {
    if (performance.now() - from > CATCH_UP_MS) throw new Error("the worker did not catch up");
    await sleep(50);
  }
  return {
    sentMeanwhile: stored.sent / stored.all,
    catchUpSeconds: (performance.now() - from) / 1000,
  };
}

/** Whether the worker still has work to do. */
export async function hasWork(database) {
  const [{ busy }] = await database.query(
    `select exists (select from messages where dispatch_at is not null)
       or exists (select from webhook_deliveries where run_at is not null)
       or exists (select from simulator_messages where due_at is not null) as busy`,
  );
  return busy;
}
