import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { emitEvents } from "@/lib/events/store/emit-event";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { sweepExpiredSandboxes } from "@/lib/identity/accounts/sweep-expired-sandboxes";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import { createToken } from "@/lib/identity/tokens/create-token";
import type { Context } from "@/lib/platform/context";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { filledColumns, insertFilled } from "@/lib/testing/database/fill-canaries";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { testEvent } from "@/lib/testing/events/test-event";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;

beforeEach(async () => {
  setClock(null);
  delete process.env.EXPIRED_SANDBOX_DAYS;
  reloadEnv();
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => setClock(null));

function moveDays(days: number): void {
  setClock({ offsetMs: days * DAY_MS, frozenAt: null });
}

async function expireNow(of = account): Promise<void> {
  await updateAccountOptions(of.context(), { body: { expires_at: new Date().toISOString() } });
}

const exists = async (of = account) =>
  (await prisma().account.findUnique({ where: { id: of.ref.id } })) !== null;

async function subscribe(token: string, types: string[]): Promise<void> {
  const body = { target_url: "https://example.com/hook", subscribed_events: types };
  expect((await callApi("POST /v3/webhook-subscriptions", { token, body })).status).toBe(201);
}

test("an expired sandbox goes after 30 days with all that is its own, and only its audit stays", async () => {
  await subscribe(account.token, ["message.received"]);
  const chatId = await createDirectChat(account, await createTestPhone(account));
  await acceptTestMessage(account, chatId, "a canary sings");
  await expireNow();

  moveDays(29);
  expect(await sweepExpiredSandboxes(never)).toBe(0);
  expect(await exists()).toBe(true);

  moveDays(31);
  expect(await sweepExpiredSandboxes(never)).toBe(1);
  expect(await exists()).toBe(false);
  expect(await tablesWith("a canary sings")).toEqual([]);
  expect(await tablesWith(account.ref.id)).toEqual(["audit_entries"]);
  const [entry] = await prisma().auditEntry.findMany({
    where: { accountId: account.ref.id, action: "account.deleted" },
  });
  expect(entry).toMatchObject({ actorType: "system", detail: { name: "main", reason: "expired" } });
  expect((await callApi("GET /v3/chats", { token: account.token })).status).toBe(401);
});

test("the partner's other environments are notified and keep their data", async () => {
  const sibling = await createAccount(account.ref.partnerId, "Live", "production");
  const ctx: Context = { ...account.context(), account: sibling };
  const { token } = await createToken(ctx, { name: "live" });
  await subscribe(token, ["environment.deleted"]);
  await expireNow();
  moveDays(31);

  await sweepExpiredSandboxes(never);

  const [emitted] = await sql.runText<{ data: object }>({
    text: "select data from events where account_id = $1 and type = 'environment.deleted'",
    values: [sibling.id],
  });
  expect(emitted?.data).toMatchObject({
    summary: "The environment “main” was deleted by the service.",
    tokens_revoked: 1,
    lines_moved_to_production: 0,
  });
  expect(await prisma().webhookDelivery.count({ where: { accountId: sibling.id } })).toBe(1);
});

test("one that is extended, one that never expires, and a production account stay", async () => {
  const production = await createTestAccount({ type: "production" });
  await expireNow(production);
  await expireNow();
  moveDays(29);
  const later = new Date(Date.now() + 100 * DAY_MS).toISOString();
  await updateAccountOptions(account.context(), { body: { expires_at: later } });
  const endless = await createTestAccount({ type: "sandbox" });

  moveDays(90);
  expect(await sweepExpiredSandboxes(never)).toBe(0);
  for (const kept of [account, production, endless]) expect(await exists(kept)).toBe(true);
});

test("users are notified once before a sandbox expires, and not after it was extended", async () => {
  const notices = async () =>
    (
      await listNotices(account.context(), { query: ListNotices.query.parse({ status: "open" }) })
    ).notices.map(({ title, body }) => [title, body]);
  await sweepExpiredSandboxes(never);
  expect(await notices()).toEqual([]);

  await expireNow();
  moveDays(1);
  for (let again = 0; again < 2; again++) await sweepExpiredSandboxes(never);
  const day = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  expect(await notices()).toEqual([
    ["This sandbox has expired", expect.stringContaining(`on or after ${day}`)],
  ]);

  await updateAccountOptions(account.context(), { body: { expires_at: null } });
  await sweepExpiredSandboxes(never);
  expect(await notices()).toEqual([]);
});

test("a stopped sweep leaves the remaining rows and the account to the next sweep", async () => {
  await createDirectChat(account, await createTestPhone(account));
  await expireNow();
  moveDays(31);
  const stop = new AbortController();
  stop.abort();

  expect(await sweepExpiredSandboxes(stop.signal)).toBe(0);
  expect(await exists()).toBe(true);
  expect(await sweepExpiredSandboxes(never)).toBe(1);
});

test("an account is deleted from every partition, with other accounts' rows in the same places kept", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  for (let day = 0; day < 30; day += 10) {
    moveDays(day);
    await makeEventPartitions(never);
    for (const { ref } of [account, other]) {
      await transaction((tx) => emitEvents(tx, [testEvent(ref.id), testEvent(ref.id)]));
    }
  }
  setClock(null);
  await expireNow();

  moveDays(31);
  expect(await sweepExpiredSandboxes(never)).toBe(1);

  expect(
    await prisma().event.count({ where: { accountId: account.ref.id, createdAt: { lt: new Date() } } }),
  ).toBe(0);
  expect(await prisma().event.count({ where: { accountId: other.ref.id } })).toBeGreaterThanOrEqual(6);
});

test("a partition that retention drops meanwhile does not stop the deletion of an account", async () => {
  await sql.runText({
    text: "create table events_p900 partition of events for values from (900000000000) to (900000000001)",
  });
  await expireNow();
  moveDays(31);
  let sweeping: Promise<number> | undefined;
  await transaction(async (tx) => {
    await tx.runText({ text: "alter table events detach partition events_p900" });
    await tx.runText({ text: "drop table events_p900" });
    sweeping = sweepExpiredSandboxes(never);
    await expect(Promise.race([sweeping, untilLocked()])).resolves.toBe("waits");
  });
  expect(await sweeping).toBe(1);
});

test("a disposable account goes at its time by the wall clock, with its partner, even if expired sandboxes are kept", async () => {
  process.env.EXPIRED_SANDBOX_DAYS = "0";
  reloadEnv();
  const created = async () =>
    (await callApi("POST /simulator/accounts", { token: account.token })).body.account_id as string;
  const [over, lasting] = [await created(), await created()];
  const partnerOf = async (id: string) =>
    (await prisma().account.findUniqueOrThrow({ where: { id } })).partnerId;
  const [emptied, kept] = [await partnerOf(over), await partnerOf(lasting)];
  await sql.runText({
    text: "update accounts set disposable_until = now() - interval '1 second' where id = $1",
    values: [over],
  });

  moveDays(90);
  expect(await sweepExpiredSandboxes(never)).toBe(1);
  expect(await prisma().account.findUnique({ where: { id: over } })).toBeNull();
  expect(await prisma().partner.findMany({ where: { id: { in: [emptied, kept] } } })).toMatchObject([
    { id: kept },
  ]);
  expect(await prisma().partner.count({ where: { id: account.ref.partnerId } })).toBe(1);
});

test("an account goes with its rows of every table, except its audit", async () => {
  // Without constraints, a row needs no row but the account's, and no meaning.
  const constraints = await sql.runText<{ table: string; name: string }>({
    text: `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
           where contype in ('f', 'c') and confrelid <> 'accounts'::regclass and connamespace = current_schema()::regnamespace and conparentid = 0`,
  });
  for (const { table, name } of constraints)
    await sql.runText({ text: `alter table ${table} drop constraint ${name}` });
  const tables = await sql.runText<{ name: string }>({
    text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
           where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  });
  for (const { name } of tables) await insertFilled(name, account.ref.id);
  const filled = new Set((await filledColumns()).map((column) => column.split(".")[0]));
  await expireNow();
  moveDays(31);

  expect(await sweepExpiredSandboxes(never)).toBe(1);
  expect(filled.size).toBeGreaterThan(50);
  expect(await tablesWith(account.ref.id)).toEqual(["audit_entries"]);
  expect(new Set((await filledColumns()).map((column) => column.split(".")[0]))).toEqual(
    new Set(["audit_entries"]),
  );
});
