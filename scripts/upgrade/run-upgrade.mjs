import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../instance/start-receiver.mjs";
import { runRollingRestart } from "../rolling-restart/run-rolling-restart.mjs";

const SETTLE_MS = 60_000;
const LOOK_MS = 200;

/**
 * Upgrades two web processes and two workers under load, one at a time, from the version in `cwd` to the repository's. The
 * first new process migrates the schema, so that old processes then run on the new one. Resolves with the clients' results, the
 * number of `migrations`, and of accepted messages that were not sent (`unsent`), of those whose webhook did not arrive
 * (`unreported`), and of webhooks that arrived again (`repeated`). `pauseMs`: pause of a client after each response.
 */
export async function runUpgrade({ cluster, cwd, pauseMs = 0, say = () => undefined }) {
  // Without pages: an old version has only its server.
  const settings = { DASHBOARD: "off" };
  const webs = [await cluster.startWeb(settings, cwd), await cluster.startWeb(settings, cwd)];
  const workers = [await cluster.startWorker(settings, cwd), await cluster.startWorker(settings, cwd)];
  const demo = cluster.firstRun();
  const before = await countMigrations(cluster);
  const receiver = await startReceiver();
  try {
    await subscribe(webs[0], demo.token, receiver.url);
    const upgraded = { ...cluster, startWeb: () => cluster.startWeb(settings) };
    const result = await runRollingRestart({ cluster: upgraded, webs, workers, demo, pauseMs, say });
    const unsent = await untilNone(() => countUnsent(cluster, result.accepted));
    const unreported = await untilNone(() => countUnreported(cluster, result.accepted, receiver));
    const reports = (await receiver.report()).map(({ eventId }) => eventId);
    await Promise.all([...result.webs, ...result.workers].map((each) => each.stop()));
    const migrations = (await countMigrations(cluster)) - before;
    return { ...result, migrations, unsent, unreported, repeated: reports.length - new Set(reports).size };
  } finally {
    receiver.stop();
  }
}

async function subscribe(web, token, targetUrl) {
  const response = await fetch(`${web.baseUrl}/v3/webhook-subscriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ target_url: targetUrl, subscribed_events: ["message.sent"] }),
  });
  if (response.status !== 201)
    throw new Error(`no subscription: ${response.status} ${await response.text()}`);
}

async function countMigrations(cluster) {
  const [{ count }] = await cluster.query("select count(*)::int from _prisma_migrations");
  return count;
}

async function countUnsent(cluster, ids) {
  const [{ count }] = await cluster.query(
    `select count(*)::int from unnest($1::uuid[]) accepted where not exists (
       select from messages m where m.id = accepted and m.sent_at is not null)`,
    [ids],
  );
  return count;
}

async function countUnreported(cluster, ids, receiver) {
  const reports = (await receiver.report()).map(({ eventId }) => eventId);
  const [{ count }] = await cluster.query(
    `select count(*)::int from unnest($1::uuid[]) accepted where not exists (
       select from events e where e.message_id = accepted and e.type = 'message.sent' and e.id::text = any($2::text[]))`,
    [ids, reports],
  );
  return count;
}

async function untilNone(countThem) {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const count = await countThem();
    if (count === 0 || performance.now() > deadline) return count;
    await sleep(LOOK_MS);
  }
}
