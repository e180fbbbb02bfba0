import "@/lib/testing/use-test-database";
import { beforeEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { eraseOnPhones } from "@/lib/simulator/phones/erase-on-phones";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const MESSAGES = 5000;
const BATCH = 20;
const START = new Date("2026-01-01T00:00:00Z");

let account: TestAccount;

/** SQL: the id of the n-th message. */
const idSql = (n: string) => `('01a0c450-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

function ids(from: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `01a0c450-0000-7000-8000-${String(from + index).padStart(12, "0")}`,
  );
}

// A message every second, of which each has one reaction.
beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const rows = `generate_series(1, ${MESSAGES}) n cross join (select id from lines where account_id = $1 limit 1) l`;
  const at = "$2::timestamptz + n * interval '1 second'";
  for (const text of [
    `insert into transport_refs (account_id, line_id, ref, message_id) select $1, l.id, 'ref ' || n, ${idSql("n")}
     from ${rows} where $2::timestamptz is not null`,
    `insert into simulator_messages (account_id, line_id, handle, ref, sender, service, parts, created_at)
     select $1, l.id, '+15564410001', 'ref ' || n, '+15564410001', 'iMessage', '[{"type":"text","value":"secret"}]', ${at}
     from ${rows}`,
    `insert into simulator_actions (account_id, id, line_id, action, created_at)
     select $1, ${idSql("n")}, l.id, jsonb_build_object('type', 'reaction', 'ref', 'ref ' || n), ${at} from ${rows}`,
  ]) {
    await sql.runText({ text, values: [account.ref.id, START] });
  }
  for (const table of ["transport_refs", "simulator_messages", "simulator_actions"]) {
    await sql.runText({ text: `analyze ${table}` });
  }
});

async function counts(): Promise<{ texts: number; actions: number }> {
  const [row] = await sql.runText<{ texts: number; actions: number }>({
    text: `select (select count(*)::int from simulator_messages where account_id = $1 and parts <> '[]') as texts,
             (select count(*)::int from simulator_actions where account_id = $1) as actions`,
    values: [account.ref.id],
  });
  return row ?? { texts: -1, actions: -1 };
}

test("erasing some messages on phones reads only them and the actions on them", async () => {
  const content = { accountId: account.ref.id, messageIds: ids(1000, BATCH), before: null };
  const scans = await explainStatements(() => eraseOnPhones(sql, content));
  expect(await counts()).toEqual({ texts: MESSAGES - BATCH, actions: MESSAGES - BATCH });
  expect(scans.length).toBeGreaterThan(0);
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(2 * BATCH);
});

test("erasing everything up to a time reads nothing that an earlier erasure has emptied", async () => {
  const content = { accountId: account.ref.id, messageIds: [], before: new Date(START.getTime() + 4000_000) };
  await eraseOnPhones(sql, content);
  expect(await counts()).toEqual({ texts: MESSAGES - 4000, actions: MESSAGES - 4000 });
  for (const table of ["simulator_messages", "simulator_actions"]) {
    await sql.runText({ text: `vacuum analyze ${table}` });
  }

  const further = { ...content, before: new Date(START.getTime() + 4010_000) };
  const scans = await explainStatements(() => eraseOnPhones(sql, further));

  expect(await counts()).toEqual({ texts: MESSAGES - 4010, actions: MESSAGES - 4010 });
  const read = scans.filter(({ on }) => on.startsWith("simulator_messages"));
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThanOrEqual(20);
});
