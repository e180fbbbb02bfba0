import "@/lib/testing/use-test-database";

import { afterEach, expect, test } from "vitest";
import { countActivity } from "@/lib/events/activity/count-activity";
import { countVolumes } from "@/lib/lines/overview/count-volumes";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { countDays } from "./fill-account.mjs";

const DAY_MS = 24 * 60 * 60_000;
const never = new AbortController().signal;
const database = { query: (text: string, values: unknown[]) => sql.runText({ text, values }) };

afterEach(() => setClock(null));

test("a filled account has the counts of the jobs that count a real one", async () => {
  const account = await createTestAccount({ type: "production" });
  const accountId = account.ref.id;
  for (const phone of ["+14155550101", "+14155550102"]) await account.sendFirst(phone);
  // Deliveries of every latency, from none to more than the last step.
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at, delivered_at)
           select m.account_id, uuidv7(), m.chat_id, m.line_id, m.sender_id, true, '[]', 'delivered', 'latency', m.created_at,
             m.created_at, m.created_at + n ^ 7 * interval '1 ms'
           from generate_series(0, 60) n, (select * from messages where account_id = $1 and is_from_me limit 1) m`,
    values: [accountId],
  });
  await sql.runText({
    text: `insert into events (account_id, id, type, line_id, message_id, trace_id, data, created_at)
           select account_id, uuidv7(), 'message.delivered', line_id, id, '', '{}', delivered_at from messages where trace_id = 'latency'`,
    values: [],
  });
  await sql.runText({
    text: "insert into opt_outs (account_id, id, handle, cause, started_at) values ($1, uuidv7(), '+14155550199', 'person', now())",
    values: [accountId],
  });

  setClock({ offsetMs: DAY_MS, frozenAt: null });
  await countActivity(never);
  await countVolumes(never);
  const counted = await countsOf(accountId);
  expect(counted.hours.length).toBeGreaterThan(40);
  expect(counted.days).toHaveLength(1);
  expect(counted.lines.length).toBeGreaterThan(40);

  await countDays(database, { accountId });
  expect(await countsOf(accountId)).toEqual(counted);
});

async function countsOf(accountId: string) {
  const hours = await sql.runText({
    text: `select hour, metric, latency_step, count from account_hours where account_id = $1
           order by hour, metric, latency_step`,
    values: [accountId],
  });
  const days = await sql.runText({
    text: `select line_id, day, sent, received, new_chats from line_days where account_id = $1 and sent + received > 0`,
    values: [accountId],
  });
  const lines = await sql.runText({
    text: `select line_id, minutes, at, metric, latency_step, count from line_activity where account_id = $1
           order by line_id, minutes, at, metric, latency_step`,
    values: [accountId],
  });
  return { hours, days, lines };
}
