import { usedCpu } from "./cpu-seconds.mjs";
import { untilIdle } from "./pending-work.mjs";
import { runPgbench } from "./run-pgbench.mjs";
import { sendRequests } from "./send-requests.mjs";
import { orderOf } from "./statistics.mjs";

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
  const before = usedCpu({ node: contender.pid, postgres: database && databases.pid });
  const result = await loadOn(contender, { connections, seconds, tools });
  const after = usedCpu({ node: contender.pid, postgres: database && databases.pid });
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
  await untilIdle(database);
  return {
    sentMeanwhile: stored.sent / stored.all,
    catchUpSeconds: (performance.now() - from) / 1000,
  };
}
