import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createDeliveredEvents } from "@/lib/testing/events/create-delivered-events";
import { ERASED_PATH, redactReplayPaths } from "@/lib/webhooks/replays/redact-replay-paths";

const EVENTS = 20_000;
const BATCH = 500;

/** Creates one replay per path. Each sent its part of the events, in the order of `paths`. */
async function replayAll(accountId: string, subscriptionId: string, paths: string[]): Promise<void> {
  await sql.runText({
    text: `with replay as (
             insert into webhook_replays
               (account_id, id, subscription_id, selection, is_bulk, total, per_second, trace_id, created_at, ended_at)
             select $1, gen_random_uuid(), $2, jsonb_build_object('filter', jsonb_build_object('json_path', path)), false,
               $4, 50, 'trace', now(), now() from unnest($3::text[]) path returning id
           ), ordered as (select id, row_number() over () - 1 as place from replay),
           event as (select seq, row_number() over (order by seq) - 1 as place from events where account_id = $1)
           insert into webhook_deliveries
             (account_id, id, subscription_id, event_seq, status, created_at, ended_at, replay_id)
           select $1, gen_random_uuid(), $2, e.seq, 'delivered', now(), now(), o.id
           from event e join ordered o on o.place = e.place * cardinality($3::text[]) / $4`,
    values: [accountId, subscriptionId, paths, EVENTS],
  });
}

test("erasing messages reads the deliveries of their events, however many the account's replays have", async () => {
  const account = await createTestAccount({ type: "production" });
  const { subscriptionId, messageIds } = await createDeliveredEvents(account, EVENTS);
  const paths = ["$.first", "$.second", ERASED_PATH];
  await replayAll(account.ref.id, subscriptionId, paths);
  for (const table of ["events", "webhook_deliveries", "webhook_replays"])
    await sql.runText({ text: `analyze ${table}` });
  const middle = EVENTS / 2;

  const scans = await explainStatements(() =>
    transaction((tx) =>
      redactReplayPaths(tx, account.ref.id, messageIds.slice(middle - BATCH / 2, middle + BATCH / 2)),
    ),
  );

  const left = await sql.runText<{ path: string }>({
    text: `select selection #>> '{filter,json_path}' as path from webhook_replays where account_id = $1`,
    values: [account.ref.id],
  });
  expect(left.map(({ path }) => path).sort()).toEqual(["$.first", ERASED_PATH, ERASED_PATH].sort());
  const read = scans.filter(({ on }) => ["events", "webhook_deliveries"].includes(on));
  expect(new Set(read.map(({ on }) => on))).toEqual(new Set(["events", "webhook_deliveries"]));
  expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(4 * BATCH);
});
