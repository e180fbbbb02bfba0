import { setTimeout as sleep } from "node:timers/promises";
import { openCluster } from "../../instance/open-cluster.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { checkDeliveries } from "./check-deliveries.mjs";
import { startTexts } from "./start-texts.mjs";

const DRAIN_MS = 120_000;
/** The minimum number of requests in flight when a worker is killed. */
const IN_FLIGHT_LEAST = 6;
/** Every nth kill stops both workers at the same time. */
const BOTH_EVERY = 4;
// Responses are slow enough to be interrupted. Some fail, so that retries occur too.
const PACES = [
  { leastMs: 5, mostMs: 80, failing: 0.02 },
  { leastMs: 20, mostMs: 300, failing: 0 },
];

/**
 * Two workers deliver to two endpoints. One of them, or both, is killed with SIGKILL during delivery and restarted,
 * `kills` times. Resolves with the results and the problems. Does not delete the data directory.
 */
export async function runKillWorkerTest({ dataDir, kills, say }) {
  const cluster = await openCluster(dataDir);
  const processes = [];
  const receivers = [];
  try {
    for (const pace of PACES) receivers.push(await startReceiver(pace));
    const web = await cluster.startWeb();
    processes.push(web);
    const workers = await Promise.all([cluster.startWorker(), cluster.startWorker()]);
    processes.push(...workers);
    const texts = await startTexts({ ...web, ...cluster.firstRun(), receivers });
    const killedAt = [];
    for (let kill = 1; kill <= kills; kill++) {
      const victims = kill % BOTH_EVERY === 0 ? [0, 1] : [kill % 2];
      killedAt.push(
        await killInFlight(
          receivers,
          victims.map((victim) => workers[victim]),
        ),
      );
      for (const victim of victims) workers[victim] = await cluster.startWorker();
      processes.push(...victims.map((victim) => workers[victim]));
      say(`kill ${kill}/${kills}: ${texts.stored()} messages so far`);
    }
    await texts.stop();
    say("waiting for the deliveries to end");
    const drainSeconds = await drained(cluster);
    return checkDeliveries({ ...(await outcome(cluster, receivers)), killedAt, drainSeconds });
  } finally {
    await Promise.all(processes.map((each) => each.stop()));
    for (const receiver of receivers) receiver.stop();
    await cluster.close();
  }
}

async function killInFlight(receivers, workers) {
  await sleep(200 + Math.random() * 600);
  while (Math.min(...(await Promise.all(receivers.map((receiver) => receiver.open())))) < IN_FLIGHT_LEAST) {
    await sleep(5);
  }
  const at = performance.timeOrigin + performance.now();
  await Promise.all(workers.map((worker) => worker.kill()));
  return at;
}

/** Seconds until no delivery is pending, or null on timeout. */
async function drained(cluster) {
  const from = Date.now();
  for (;;) {
    const [{ busy }] = await cluster.query(
      "select exists (select from webhook_deliveries where run_at is not null) as busy",
    );
    if (!busy) return Math.round((Date.now() - from) / 1000);
    if (Date.now() - from > DRAIN_MS) return null;
    await sleep(200);
  }
}

async function outcome(cluster, receivers) {
  const stored = await cluster.query(
    `select id as "eventId" from events where type = 'message.received'
       and created_at > (select max(created_at) from webhook_subscriptions)`,
  );
  const deliveries = await cluster.query(
    `select s.target_url as url, e.id as "eventId", d.status,
       (select count(*)::int from webhook_attempts a
        where a.account_id = d.account_id and a.delivery_id = d.id and a.status_code = 200) as successes
     from webhook_deliveries d
     join webhook_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
     join events e on e.account_id = d.account_id and e.seq = d.event_seq`,
  );
  const endpoints = await Promise.all(
    receivers.map(async (receiver) => ({
      deliveries: deliveries.filter((delivery) => delivery.url === receiver.url),
      requests: await receiver.report(),
    })),
  );
  return { stored, endpoints };
}
