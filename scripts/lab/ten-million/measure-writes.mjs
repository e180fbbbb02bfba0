import { startServer } from "../../instance/start-server.mjs";
import { CHAT_PATH, SEND_BODY } from "../bench/create-tenant.mjs";
import { measureInbound } from "../bench/measure-inbound.mjs";
import { measureSends } from "../bench/measure-sends.mjs";
import { untilIdle } from "../bench/pending-work.mjs";
import { summarize } from "../bench/statistics.mjs";

/**
 * Measures sends, receipts and received messages in the large database and in one that has only chats to send to,
 * alternating between both in every round. Returns a row per measurement with the rates of both and the ratio of each
 * round.
 */
export async function measureWrites({ empty, large }, plan) {
  const sends = await withServers({ empty, large }, "web", async (pair) => {
    const contenders = pair.map((one) => contenderOf(one, one.chats));
    return measureSends(contenders, plan);
  });
  // The sends above wait for a worker, which would send them during the next measurement.
  for (const { database } of [empty, large]) {
    await database.query("update messages set dispatch_at = null where dispatch_at is not null");
    await database.query("vacuum analyze messages");
  }
  const withWorker = await withServers({ empty, large }, "all", async (pair) => {
    const contenders = pair.map((one) => ({ ...contenderOf(one, one.phones), hasWorker: true }));
    return {
      receipts: await measureSends(contenders, { ...plan, connections: [plan.connections.at(-1)] }),
      received: await measureReceived(pair, plan),
    };
  });
  return [
    ...plan.connections.map((connections) => ({
      name: `sends with ${connections} connections`,
      ...compare(
        sends.filter((row) => row.connections === connections),
        plan,
        (row) => row.perSecond,
      ),
    })),
    {
      name: "sends until all receipts are stored",
      ...compare(withWorker.receipts, plan, (row) => row.requests / (row.seconds + row.catchUpSeconds)),
    },
    {
      name: "received messages",
      ...compare(withWorker.received, plan, (row) => row.perSecond),
    },
  ];
}

async function withServers({ empty, large }, role, work) {
  const servers = [];
  try {
    for (const one of [empty, large]) {
      servers.push(await startServer({ ...one.database.env, ROLE: role }));
    }
    const [ofEmpty, ofLarge] = servers;
    return await work([
      { ...empty, name: "empty", server: ofEmpty },
      { ...large, name: "large", server: ofLarge },
    ]);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function contenderOf({ name, server, database, token }, count) {
  const target = { baseUrl: server.baseUrl, path: CHAT_PATH, token, count, body: SEND_BODY };
  return { name, pid: server.pid, database, target };
}

async function measureReceived(pair, plan) {
  const rows = [];
  for (let round = 0; round < plan.rounds; round++) {
    for (const { name, server, database, token, line, phones } of pair) {
      const options = { ...plan, connections: [plan.connections[0]], rounds: 1 };
      const tenant = { token, line };
      const [row] = await measureInbound({ server, tenant, database, chats: phones, ...options });
      rows.push({ ...row, contender: name, round });
      await untilIdle(database);
    }
  }
  return rows;
}

function compare(rows, { rounds }, rateOf) {
  const rate = (contender, round) =>
    rateOf(rows.find((row) => row.contender === contender && row.round === round));
  const all = Array.from({ length: rounds }, (_, round) => round);
  return {
    empty: summarize(all.map((round) => rate("empty", round))),
    large: summarize(all.map((round) => rate("large", round))),
    ratio: summarize(all.map((round) => rate("large", round) / rate("empty", round))),
  };
}
