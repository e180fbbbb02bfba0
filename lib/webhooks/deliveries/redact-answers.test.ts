import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createDeliveredEvents } from "@/lib/testing/events/create-delivered-events";
import { redactAnswers } from "@/lib/webhooks/deliveries/redact-answers";

const EVENTS = 20_000;
const BATCH = 500;

// Every event was delivered at the second attempt, as to a receiver that is often down.
test("erasing messages reads the attempts of their events, and no other delivery of the account", async () => {
  const account = await createTestAccount({ type: "production" });
  const { messageIds } = await createDeliveredEvents(account, EVENTS);
  await sql.runText({
    text: `insert into webhook_attempts (account_id, delivery_id, event_seq, number, started_at, latency_ms, response_body)
           select account_id, id, event_seq, number, now(), 1, case number when 1 then 'busy' else '' end
           from webhook_deliveries, generate_series(1, 2) number where account_id = $1`,
    values: [account.ref.id],
  });
  for (const table of ["events", "webhook_deliveries", "webhook_attempts"])
    await sql.runText({ text: `analyze ${table}` });

  const scans = await explainStatements(() =>
    transaction((tx) => redactAnswers(tx, account.ref.id, messageIds.slice(-BATCH))),
  );

  const [left] = await sql.runText<{ kept: number; erased: number; empty: number }>({
    text: `select count(*) filter (where response_body = 'busy')::int as kept,
             count(*) filter (where response_body is null)::int as erased,
             count(*) filter (where response_body = '')::int as empty
           from webhook_attempts where account_id = $1`,
    values: [account.ref.id],
  });
  expect(left).toEqual({ kept: EVENTS - BATCH, erased: BATCH, empty: EVENTS });
  const read = scans.filter(({ on }) => /^(events|webhook_\w+)$/.test(on));
  expect(new Set(read.map(({ on }) => on))).toEqual(new Set(["events", "webhook_attempts"]));
  expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(4 * BATCH);
});
