import { ChatListView } from "@/lib/messaging/inbox/chat-conditions";
import { listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { isAcrossAccounts } from "@/lib/testing/database/across-accounts";
import "@/lib/testing/use-test-database";

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { listAttachmentViews } from "@/lib/attachments/files/list-attachment-views";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { listEventViews } from "@/lib/events/search/list-event-views";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sweepExpiredSandboxes } from "@/lib/identity/accounts/sweep-expired-sandboxes";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { listAuditEntries } from "@/lib/identity/audit/list-audit-entries";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import {
  listPaymentRequestViews,
  totalPaymentRequests,
} from "@/lib/payments/requests/list-payment-request-views";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import type { Statement, StatementName } from "@/lib/platform/database/statement";
import { encodeCursor } from "@/lib/platform/lists/page";
import { countText, totalOf } from "@/lib/platform/lists/total-of";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { setClock } from "@/lib/platform/time/clock";
import { tablesOf } from "@/lib/privacy/export/export-archive";
import { readRows } from "@/lib/privacy/export/read-rows";
import { makeRequestPartitions } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";
import { listRequests } from "@/lib/request-log/search/list-requests";
import { findById } from "@/lib/runtime/dashboard/rows/find-by-id";
import { resealSecrets } from "@/lib/runtime/jobs/reseal-secrets";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import { resetAccount } from "@/lib/simulator/accounts/reset-account";
import { createSnapshot, restoreSnapshot } from "@/lib/simulator/accounts/snapshots";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  debianVersion,
  findDebianPostgres,
  startDebianPostgres,
} from "@/lib/testing/database/debian-postgres";
import { filesWithComposedText, loadStatements } from "@/lib/testing/database/load-statements";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { testEvent } from "@/lib/testing/events/test-event";
import { listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";
import { previewReplay } from "@/lib/webhooks/replays/preview-replay";
import { replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";
import { previewReplayToAll, replayToAll } from "@/lib/webhooks/replays/replay-to-all";

const ID = "01a00000-0000-7000-8000-000000000000";
const TIMES = { from: new Date(0), to: new Date("2100-01-01") };

let statements: ReadonlyMap<string, Statement<StatementName>>;
let account: TestAccount;
let subscriptionId: string;

beforeAll(async () => {
  statements = await loadStatements();
  account = await createTestAccount({ type: "sandbox" });
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: "https://example.com/", subscribed_events: ["message.sent", "message.received"] },
  });
  subscriptionId = body.id;
});

/** Files that send one text for each table of a list, all of which their own tests send. */
const TESTED_BESIDE = [
  "mark-lost-events.ts",
  "analyze-grown-tables.ts",
  "close-chats.ts",
  "delete-chats.ts",
  "erase-messages.ts",
  "search-tables.ts",
  "store-clock.ts",
];

/** PostgreSQL prepares no other commands. */
const PREPARED = /^[\s(]*(select|with|insert|update|delete)\b/i;
const INSERT_MESSAGES = [
  "accept-counted",
  "accept-locked",
  "accept-message",
  "accept-messages",
  "insert-inbound",
  "receive-texts",
  "store-refused-message",
];
const LISTED = { limit: 10 };
const ASKED = { query: undefined, body: undefined, headers: {} };
const FILTER = {
  statuses: ["delivered" as const, "failed" as const, "skipped" as const, "never_owed" as const],
  types: ["message.sent" as const],
  line_id: ID,
  chat_id: ID,
  ...TIMES,
};

/** Statements composed from the input, by the reason: each runs once with all options and once with none. */
const COMPOSED: Readonly<Record<string, () => Promise<unknown>>> = {
  // The table or its columns come from a list.
  "account-state.ts": async () => resetAccount((await createTestAccount({ type: "sandbox" })).context()),
  "find-by-id.ts": () => findById(account.context(), ID),
  "has-rows.ts": () => Promise.all([hasRows("accounts", "true"), hasRows("partners", "true")]),
  "read-rows.ts": async () => {
    for (const handle of [null, "+15550100101"]) {
      const scope = { accountId: account.ref.id, handle };
      for (const table of tablesOf(scope)) await readRows(scope, table).next();
    }
  },
  "reseal-secrets.ts": () => resealSecrets(),
  "store-snapshot.ts": async () => {
    const ctx = (await createTestAccount({ type: "sandbox" })).context();
    const { id } = await createSnapshot(ctx, { body: { name: "empty" } });
    await restoreSnapshot(ctx, { params: { snapshot: id } });
  },
  "sweep-expired-sandboxes.ts": async () => {
    const expired = await createTestAccount({ type: "sandbox" });
    await sql.runText({
      text: "update accounts set expires_at = $2 where id = $1",
      values: [expired.ref.id, new Date(0)],
    });
    expect(await sweepExpiredSandboxes(new AbortController().signal)).toBe(1);
  },
  "sweep-leftovers.ts": () => sweepLeftovers(new AbortController().signal),
  // The table is a partition.
  "drop-event-partitions.ts": passYear,
  "partitions.ts": passYear,
  "sweep-events.ts": passYear,
  "sweep-requests.ts": passYear,
  // Only the given columns are changed, so that changes at the same time don't revert each other.
  "update-account-options.ts": () =>
    updateAccountOptions(account.context(), {
      body: {
        locations: true,
        rcs: true,
        attachment_tier: "persistent",
        retention_minutes: null,
        first_message_links: "allow",
        default_webhook_version: "2026-02-03",
        developer_tokens: false,
        take_over_minutes: null,
        loop_exchanges: null,
        expires_at: null,
        requests_per_minute: null,
        daily_messages: null,
        pair_messages: null,
        storage_mb: null,
        checkout_clip: "active",
      },
    }),
  "update-agent-pay-settings.ts": async () => {
    const ctx = account.context();
    await updateAgentPaySettings(ctx, { body: {} });
    await updateAgentPaySettings(ctx, {
      body: {
        max_per_payment_cents: 100,
        max_per_handle_day_cents: 100,
        merchant_allow_list: [],
        approval_above_cents: 100,
        currency_limits: {},
      },
    });
  },
  // The filters decide which tables are joined and which indexes are read.
  "chat-conditions.ts": listEveryView,
  "list-attachment-views.ts": async () => {
    const ctx = account.context();
    await listAttachmentViews(ctx, { query: LISTED });
    const exact = { family: "image" as const, tier: "persistent" as const, direction: "sent" as const };
    await listAttachmentViews(ctx, {
      query: { ...exact, line: account.line, q: "a", cursor: encodeCursor([ID]), ...LISTED },
    });
  },
  "list-audit-entries.ts": async () => {
    const ctx = account.context();
    await listAuditEntries(ctx, { query: LISTED });
    const admin = {
      type: "user" as const,
      userId: ID,
      name: "A",
      email: "a@example.com",
      role: "admin" as const,
    };
    const exact = { object_type: "line", cursor: encodeCursor([ID]), ...TIMES, ...LISTED };
    for (const actor of ["api" as const, ID]) {
      await listAuditEntries({ ...ctx, actor: admin }, { query: { ...exact, actor } });
    }
  },
  "list-delivery-views.ts": async () => {
    const params = { subscriptionId };
    const ctx = account.context();
    await listDeliveryViews(ctx, { params, query: { status: [], types: [], response: [], ...LISTED } });
    const lists = {
      status: ["failed" as const],
      types: ["message.sent"],
      response: ["500", "timeout", "200"],
    };
    const ids = { chat_id: ID, message_id: ID, event_id: ID, replay_id: ID };
    const cursor = encodeCursor([new Date(0).toISOString(), ID]);
    const query = { ...lists, ...ids, ...TIMES, cursor, ...LISTED };
    await listDeliveryViews(ctx, { params, query: { ...query, isAttempted: true } });
  },
  "list-payment-request-views.ts": searchPayments,
  "list-requests.ts": async () => {
    const ctx = account.context();
    await listRequests(ctx, { query: LISTED });
    const exact = { method: "GET" as const, status: "4xx" as const, error_code: 2001, token_id: ID };
    await listRequests(ctx, {
      query: { ...exact, path: "/v3/chats", line: account.line, ...TIMES, ...LISTED },
    });
  },
  "preview-replay.ts": async () => {
    const params = { subscriptionId };
    const filter = { ...FILTER, json_path: "$.message" };
    await previewReplay(account.context(), { ...ASKED, params, body: { filter } });
  },
  "replay-to-all.ts": async () => {
    const filter = { ...FILTER, json_path: "$.message" };
    await previewReplayToAll(account.context(), { body: { filter } });
    const none = { ...filter, json_path: "$.no_such_field" };
    await expect(replayToAll(account.context(), { body: { filter: none, per_second: 1 } })).rejects.toThrow(
      "nothing to replay",
    );
  },
  "search-chats.ts": listEveryView,
  "list-event-views.ts": async () => {
    const ctx = account.context();
    await listEventViews(ctx, { query: { types: [], ...LISTED } });
    const { types, line_id, chat_id } = FILTER;
    const exact = { types, line_id, chat_id, ...TIMES, json_path: "$.message" };
    await listEventViews(ctx, {
      query: { ...exact, status: "failed", subscription_id: subscriptionId, ...LISTED },
    });
  },
  "store-replay.ts": async () => {
    const filter = { statuses: ["never_owed" as const], types: [] };
    const replay = replayDeliveries(account.context(), {
      ...ASKED,
      params: { subscriptionId },
      body: { filter, per_second: 1 },
    });
    // The statement runs but finds nothing to replay.
    await expect(replay).rejects.toThrow();
  },
  // `every-list.test.ts` counts the rows of each list.
  "total-of.ts": () => {
    const count = countText({ text: "select from accounts where id = $1", values: [account.ref.id] });
    return totalOf(account.context(), { items: [], nextCursor: "further" }, { cursor: undefined, count });
  },
};

/** Lists the chats of every view, with and without a search, a line and a service. */
async function listEveryView(): Promise<void> {
  for (const view of ChatListView.options) {
    const cursor = encodeCursor([new Date(0).toISOString(), ID]);
    for (const search of [undefined, "555"]) {
      const exact = { line_id: ID, service: "SMS" as const };
      await listChatViews(account.context(), { query: { view, search, ...LISTED } });
      await listChatViews(account.context(), { query: { view, search, ...exact, cursor, ...LISTED } });
    }
  }
}

test("a column that the next release adds changes the columns of no result", async () => {
  // PostgreSQL refuses a named statement of a running process once its result has changed.
  const texts = [...statements.values()]
    .filter(({ text }) => PREPARED.test(text))
    .map(({ text, name }): [string, string] => [text, name]);
  const rollBack = new Error("all statements were prepared");
  const changed: string[] = [];
  const trying = transaction(async (tx) => {
    const before = await resultTypes(tx, texts);
    const tables = await tx.runText<{ name: string }>({
      text: `select format('%I', relname) as name from pg_class
             where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
    });
    expect(tables.length).toBeGreaterThan(80);
    for (const { name } of tables) await tx.runText({ text: `alter table ${name} add column added int4` });
    const after = await resultTypes(tx, texts);
    for (const [index, [, name]] of texts.entries()) if (after[index] !== before[index]) changed.push(name);
    throw rollBack;
  });
  await expect(trying).rejects.toBe(rollBack);
  expect(changed).toEqual([]);
  expect(texts.length).toBeGreaterThan(800);
});

const debian = findDebianPostgres();

// Trunkline also runs on an operator's server of an older version, down to 15.
test.skipIf(debian === undefined)(
  `PostgreSQL ${debianVersion(debian ?? "")} prepares every statement`,
  async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "trunkline-debian-"));
    chmodSync(directory, 0o711);
    const server = await startDebianPostgres(debian ?? "", directory);
    const url = server.url.replace(/postgres$/, "statements");
    const admin = new pg.Client({ connectionString: server.adminUrl });
    const client = new pg.Client({ connectionString: url });
    try {
      await admin.connect();
      await admin.query("create database statements owner trunkline");
      await applyMigrations(url);
      await client.connect();
      const refused: string[] = [];
      for (const { text, name } of statements.values()) {
        if (!PREPARED.test(text)) continue;
        await client.query(`prepare tried as ${text}`).then(
          () => client.query("deallocate tried"),
          ({ message }: Error) => refused.push(`${name}: ${message}`),
        );
      }
      expect(refused).toEqual([]);
    } finally {
      await Promise.all([admin.end(), client.end()]);
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

/** The types of the columns of each statement's result, as text. */
async function resultTypes(tx: Sql, statements: [text: string, name: string][]): Promise<(string | null)[]> {
  const types: (string | null)[] = [];
  for (const [text] of statements) {
    await tx.runText({ text: `prepare tried as ${text}` });
    const [row] = await tx.runText<{ types: string | null }>({
      text: "select result_types::text as types from pg_prepared_statements where name = 'tried'",
    });
    types.push(row?.types ?? null);
    await tx.runText({ text: "deallocate tried" });
  }
  return types;
}

test("every statement that inserts messages stores the thread of a reply", () => {
  const inserts = [...statements.values()].filter(({ source }) => /insert into messages\b/i.test(source));
  expect(inserts.map(({ name }) => name).sort()).toEqual(INSERT_MESSAGES);

  const forgetful = inserts.filter(({ source }) => {
    const [, columns = ""] = /insert into messages \(([^)]*)\)/i.exec(source) ?? [];
    return !/\bthread_id\b/.test(columns) || !source.includes("then (select coalesce(m.thread_id, m.id)");
  });
  expect(forgetful).toEqual([]);
});

/** Their composed texts use tables of all accounts: sweeps, partitions, and what an operator does. */
const ACROSS_ACCOUNTS = [
  "drop-event-partitions.ts",
  "partitions.ts",
  "reseal-secrets.ts",
  "sweep-events.ts",
  "sweep-leftovers.ts",
  "sweep-requests.ts",
];

test("every file that composes statements at run time is named here, and its texts name one account as a parameter", async () => {
  const named = [...TESTED_BESIDE, ...Object.keys(COMPOSED)];
  expect([...new Set(named)].sort()).toEqual(filesWithComposedText());

  const texts = new Set([...statements.values()].map(({ text }) => text));
  const silent: string[] = [];
  const across: string[] = [];
  for (const [file, work] of Object.entries(COMPOSED)) {
    const composed = (await recordStatements(work)).filter(({ text }) => !texts.has(text));
    if (composed.length === 0) silent.push(file);
    if (composed.some(({ text }) => isAcrossAccounts(text))) across.push(file);
  }
  expect(silent, "files whose work here sends none of their own text").toEqual([]);
  expect(across.sort()).toEqual(ACROSS_ACCOUNTS);
});

let year = 2090;

/** Makes partitions, and drops those of the year before. */
async function passYear(): Promise<void> {
  const never = new AbortController().signal;
  const dropped = year++;
  for (const at of [dropped, year]) {
    setClock({ offsetMs: 0, frozenAt: new Date(`${at}-06-01`) });
    await makeEventPartitions(never);
    await makeRequestPartitions(never);
    await transaction((tx) => emitEvents(tx, [testEvent(account.ref.id)]));
  }
  await makeEventPartitions(never);
  expect(await sweepEvents(never)).toBeGreaterThan(0);
  expect(await sweepRequests(never)).toBeGreaterThan(0);
  setClock(null);
}

async function searchPayments(): Promise<void> {
  const ctx = account.context();
  const query = { status: "requested" as const, currency: "usd", q: "a", ...TIMES };
  for (const asked of [{}, query]) {
    await listPaymentRequestViews(ctx, { query: { ...asked, ...LISTED } });
    await totalPaymentRequests(ctx, { query: asked });
  }
  await listPaymentRequestViews(ctx, { query: { ...query, cursor: encodeCursor([ID]), ...LISTED } });
}
