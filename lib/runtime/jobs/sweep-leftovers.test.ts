import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { createUser } from "@/lib/identity/people/create-user";
import { prisma, sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox", limited: true });
});

afterEach(() => setClock(null));

function moveDays(days: number): void {
  setClock({ offsetMs: days * DAY_MS, frozenAt: null });
}

async function count(table: string): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: `select count(*)::int as count from ${table} where account_id = $1`,
    values: [account.ref.id],
  });
  return row?.count ?? 0;
}

/** Creates a row in each table, through Trunkline's operations where possible. */
async function leaveRows(): Promise<void> {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await callApi("POST /v3/capability/check_imessage", { token: account.token, body: { address: phone } });
  const values = [account.ref.id, chatId, phone];
  await sql.runText({
    text: `insert into contact_card_shares (account_id, line_id, handle, shared_at)
           select account_id, line_id, $3, last_activity_at from chats where account_id = $1 and id = $2`,
    values,
  });
  await sql.runText({
    text: `insert into simulator_actions (account_id, id, line_id, handles, action, created_at)
           select account_id, gen_random_uuid(), line_id, array[$3], '{"do":"read"}', last_activity_at
           from chats where account_id = $1 and id = $2`,
    values,
  });
  await sql.runText({
    text: `insert into account_hours (account_id, hour, metric, count)
           select account_id, last_activity_at, 'message.sent', 1 from chats where account_id = $1 and id = $2
             and $3::text is not null`,
    values,
  });
  await sql.runText({
    text: `insert into line_activity (account_id, line_id, minutes, at, metric, count)
           select account_id, line_id, minutes, last_activity_at, 'message.sent', 1
           from chats, unnest(array[15, 1440]) minutes where account_id = $1 and id = $2 and $3::text is not null`,
    values,
  });
  await sql.runText({
    text: `insert into line_days (account_id, line_id, day, sent, received)
           select account_id, line_id, last_activity_at::date, 1, 1 from chats where account_id = $1 and id = $2
             and $3::text is not null`,
    values,
  });
}

test.each([
  ["simulator_messages", 29, 31],
  ["simulator_actions", 29, 31],
  ["contact_card_shares", 1, 3],
  ["capability_checks", 0, 2],
  ["handle_capabilities", 29, 31],
  ["account_days", 6, 9],
  ["line_days", 399, 402],
  ["account_hours", 399, 402],
  ["(select * from line_activity where minutes = 15) quarters", 189, 192],
  ["(select * from line_activity where minutes = 1440) days", 399, 402],
])("%s keeps its rows for %i days and has none after %i", async (table, kept, gone) => {
  await leaveRows();
  expect(await count(table)).toBe(1);

  moveDays(kept);
  await sweepLeftovers(never);
  expect(await count(table)).toBe(1);

  moveDays(gone);
  await sweepLeftovers(never);
  expect(await count(table)).toBe(0);
});

test("invitations and links that no one used are deleted 30 days after they expired", async () => {
  const { partnerId } = account.ref;
  await createUser({ partnerId, email: "unused@example.com", name: "Unused", role: "viewer" });
  await sql.runText({
    text: `insert into invitations (id, partner_id, email, name, role, token_hash, created_at, expires_at)
           values (gen_random_uuid(), $1, 'invited@example.com', 'Invited', 'viewer', '\\x01', now(), now() + interval '1 day')`,
    values: [partnerId],
  });
  const left = async () => [await prisma().invitation.count(), await prisma().signInLink.count()];

  moveDays(30);
  await sweepLeftovers(never);
  expect(await left()).toEqual([1, 1]);

  moveDays(32);
  await sweepLeftovers(never);
  expect(await left()).toEqual([0, 0]);
});

test("a message a phone still pending_receipt a receipt for stays, and what is young beside what is old", async () => {
  const phone = await createTestPhone(account);
  const { messageId } = await writeAs(account, phone, { to: account.line, text: "old" });
  await sql.runText({
    text: `update simulator_messages set pending_receipt = 'read', due_at = created_at where account_id = $1`,
    values: [account.ref.id],
  });
  moveDays(40);
  await writeAs(account, phone, { to: account.line, text: "young" });
  await sweepLeftovers(never);
  expect(await count("simulator_messages")).toBe(2);
  expect(messageId).toBeTruthy();
});

test("many rows are deleted in batches; an aborted sweep ends after its current batch", async () => {
  await sql.runText({
    text: `insert into handle_capabilities (account_id, handle, service, capability, checked_at)
           select $1, '+1555' || n, 'RCS', 'no', now() - interval '31 days' from generate_series(1, 2500) n`,
    values: [account.ref.id],
  });
  const stop = new AbortController();
  const sweeping = sweepLeftovers(stop.signal);
  setTimeout(() => stop.abort());
  await sweeping;
  await sweepLeftovers(never);
  expect(await count("handle_capabilities")).toBe(0);
});
