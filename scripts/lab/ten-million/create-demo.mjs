import { setTimeout as sleep } from "node:timers/promises";
import { readFirstRun } from "../../instance/open-instance.mjs";
import { signInCookie } from "../../instance/sign-in-cookie.mjs";
import { startServer } from "../../instance/start-server.mjs";
import { fillChats, fillDemo, openDemo } from "../../screenshot/fill-demo.mjs";
import { hasWork } from "../bench/pending-work.mjs";

const SETTLE_MS = 60_000;
const UNKNOWN_CHAT = "/v3/chats/00000000-0000-7000-8000-000000000000";

/**
 * Creates the demo with one of everything in a database, through the instance's own API. The fill copies its rows.
 * Returns the credentials, the ids of the account and of its first line, and the path parameters of pages. No work is
 * pending afterwards, and no webhook is sent: the endpoints are disabled because they no longer exist.
 */
export async function createDemo(database) {
  const server = await startServer({ ...database.env, SEED_DEMO: "1" });
  try {
    const firstRun = readFirstRun(database.env.DATA_DIR);
    const cookie = await signInCookie(server.baseUrl, firstRun.admin);
    const demo = openDemo({ baseUrl: server.baseUrl, firstRun, cookie });
    const chatId = await fillChats(demo);
    const { params } = await fillDemo(demo, chatId);
    await demo.callAsAdmin("PATCH /api/account/options", { developer_tokens: true });
    // A request that fails, for the list of errors.
    await demo.call(`GET ${UNKNOWN_CHAT}`).catch(() => undefined);
    await endWork(database);
    const ids = await readIds(database, firstRun);
    return { ...firstRun, ...ids, cookie, params: { ...params, chatId } };
  } finally {
    await server.stop();
  }
}

async function endWork(database) {
  await database.query(
    `update webhook_subscriptions set is_active = false, disabled_reason = 'manual', disabled_at = now()`,
  );
  const deadline = Date.now() + SETTLE_MS;
  do {
    await database.query(
      `update webhook_deliveries set run_at = null, lease_until = null, status = 'skipped', ended_at = now()
       where run_at is not null and (lease_until is null or lease_until < now())`,
    );
    if (Date.now() > deadline) throw new Error("the demo's work did not come to an end");
    await sleep(100);
  } while (await hasWork(database));
}

async function readIds(database, { line }) {
  const [ids] = await database.query(
    `select l.account_id as "accountId", l.id as "lineId", (
       select d.subscription_id from webhook_deliveries d where d.account_id = l.account_id and d.status = 'delivered'
       order by d.id desc limit 1) as "subscriptionId", (
       select a.id from reputation_audits a where a.account_id = l.account_id and a.line_id = l.id limit 1) as "auditId"
     from lines l where l.phone_number = $1`,
    [line],
  );
  // The simulated phones never reply to the measurements, so the lines would be flagged and reject all sends.
  await database.query("update lines set auto_flag_paused_until = now() + interval '1 year'");
  return ids;
}
