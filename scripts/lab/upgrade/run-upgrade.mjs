import { setTimeout as sleep } from "node:timers/promises";
import { callInstance } from "../../instance/call-instance.mjs";
import { startReceiver } from "../../instance/start-receiver.mjs";
import { runRollingRestart } from "../rolling-restart/run-rolling-restart.mjs";

const SETTLE_MS = 60_000;
const LOOK_MS = 200;
/** The phones that get the messages: processes of the version before can report a deadlock about a busy chat as an error. */
const RECIPIENTS = [
  "+15550107001",
  "+15550107002",
  "+15550107003",
  "+15550107004",
  "+15550107005",
  "+15550107006",
];

/**
 * Upgrades two web processes and two workers under load, one at a time, from the version in `cwd` to the repository's. The
 * first new process migrates the schema, so that old processes then run on the new one. Resolves with the clients' results, the
 * number of `migrations`, and of accepted messages that were not sent (`unsent`), of those whose webhook did not arrive
 * (`unreported`), and of webhooks that arrived again (`repeated`). `inbound`: the same for messages that a phone writes
 * meanwhile, with the number of those that were not stored, or more than once. `logs`: the end of what each process wrote.
 * `pauseMs`: pause of a client after each response.
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
    for (const phone of RECIPIENTS) await addPhone(webs[0], demo, phone);
    const upgraded = { ...cluster, startWeb: () => cluster.startWeb(settings) };
    const result = await runRollingRestart({
      cluster: upgraded,
      webs,
      workers,
      demo,
      pauseMs,
      writes: true,
      recipients: RECIPIENTS,
      say,
    });
    const unsent = await untilNone(() => countUnsent(cluster, result.accepted));
    const unreported = await untilNone(() =>
      countUnreported(cluster, result.accepted, "message.sent", receiver),
    );
    const written = result.written.map(({ id }) => id);
    await untilNone(() => countUnreported(cluster, written, "message.received", receiver));
    const inbound = await readInbound(cluster, result.written, receiver);
    const reports = (await receiver.report()).map(({ eventId }) => eventId);
    await Promise.all([...result.webs, ...result.workers].map((each) => each.stop()));
    const migrations = (await countMigrations(cluster)) - before;
    const named = {
      "old web": webs,
      "old worker": workers,
      "new web": result.webs,
      "new worker": result.workers,
    };
    const logs = Object.entries(named).flatMap(([name, processes]) =>
      processes.map((each) => `${name} ${each.baseUrl ?? ""}\n${each.output()}`),
    );
    return {
      ...result,
      migrations,
      logs,
      unsent,
      unreported,
      inbound,
      repeated: reports.length - new Set(reports).size,
    };
  } finally {
    receiver.stop();
  }
}

async function subscribe(web, token, targetUrl) {
  const body = { target_url: targetUrl, subscribed_events: ["message.sent", "message.received"] };
  await callInstance({ baseUrl: web.baseUrl, token }, "POST /v3/webhook-subscriptions", body);
}

/** Creates a phone that has written to the demo's line, so that the line can send to it. */
async function addPhone(web, { token, line }, phone) {
  await callInstance({ baseUrl: web.baseUrl, token }, "POST /simulator/phones", { handle: phone });
  await callInstance(
    { baseUrl: web.baseUrl, token },
    `POST /simulator/phones/${encodeURIComponent(phone)}/messages`,
    {
      to: line,
      text: "hello",
    },
  );
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

async function countUnreported(cluster, ids, type, receiver) {
  const reports = (await receiver.report()).map(({ eventId }) => eventId);
  const [{ count }] = await cluster.query(
    `select count(*)::int from unnest($1::uuid[]) accepted where not exists (
       select from events e where e.message_id = accepted and e.type = $3 and e.id::text = any($2::text[]))`,
    [ids, reports, type],
  );
  return count;
}

/** Of the written messages: how many were not stored, were stored more than once, and by how many webhooks each was reported. */
async function readInbound(cluster, written, receiver) {
  const reports = (await receiver.report()).map(({ eventId }) => eventId);
  const [counts] = await cluster.query(
    `with written as (
       select w.id, (select count(*) from messages m where m.parts->0->>'value' = w.text and not m.is_from_me) as stored,
         exists (select from messages m where m.id = w.id) as is_kept,
         (select count(*) from events e join unnest($3::text[]) report(id) on report.id = e.id::text
          where e.message_id = w.id and e.type = 'message.received') as reported
       from unnest($1::uuid[], $2::text[]) w(id, text)
     )
     select count(*)::int as accepted, count(*) filter (where stored = 0 or not is_kept)::int as lost,
       count(*) filter (where stored > 1)::int as doubled, count(*) filter (where reported = 0)::int as unreported,
       count(*) filter (where reported > 1)::int as repeated
     from written`,
    [written.map(({ id }) => id), written.map(({ text }) => text), reports],
  );
  return counts;
}

async function untilNone(countThem) {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const count = await countThem();
    if (count === 0 || performance.now() > deadline) return count;
    await sleep(LOOK_MS);
  }
}
