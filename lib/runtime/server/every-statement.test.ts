import { ChatView } from "@/lib/messaging/inbox/chat-conditions";
import { listConversations } from "@/lib/messaging/inbox/list-conversations";
import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { searchAttachments } from "@/lib/attachments/files/search-attachments";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { searchEvents } from "@/lib/events/search/search-events";
import { emitEvents, IN_ITS_VERSION } from "@/lib/events/store/emit-event";
import { sweepExpiredSandboxes } from "@/lib/identity/accounts/sweep-expired-sandboxes";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { listAuditEntries } from "@/lib/identity/audit/list-audit-entries";
import { listChatHealth } from "@/lib/messaging/health/list-chat-health";
import { listThread } from "@/lib/messaging/messages/list-thread";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { searchPaymentRequests, totalPaymentRequests } from "@/lib/payments/requests/search-payment-requests";
import { analyzeGrownTables } from "@/lib/platform/database/analyze-grown-tables";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { encodeCursor } from "@/lib/platform/lists/page";
import { totalOf } from "@/lib/platform/lists/total-of";
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
import { recordStatements } from "@/lib/testing/database/record-statements";
import { testEvent } from "@/lib/testing/events/test-event";
import { readStatements, type StatementSite } from "@/lib/testing/source/sql-statements";
import { listDeliveries } from "@/lib/webhooks/deliveries/list-deliveries";
import { listWebhookLogs } from "@/lib/webhooks/deliveries/list-webhook-logs";
import { previewReplay } from "@/lib/webhooks/replays/preview-replay";
import { replayDeliveries } from "@/lib/webhooks/replays/replay-deliveries";

const ID = "01a00000-0000-7000-8000-000000000000";
const TIMES = { from: new Date(0), to: new Date("2100-01-01") };

let sites: StatementSite[];
let account: TestAccount;
let subscriptionId: string;

beforeAll(async () => {
  sites = readStatements(process.cwd(), ["lib", "app", "scripts"], { IN_ITS_VERSION });
  account = await createTestAccount({ type: "sandbox" });
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: "https://example.com/", subscribed_events: ["message.sent", "message.received"] },
  });
  subscriptionId = body.id;
});

/** Files that run statements passed to them, or that use PostgreSQL before the schema exists or beside the instance. */
const PLUMBING = [
  "bounded-client.ts##connectWithSettings",
  "database-pool.ts##query",
  "db.ts#run",
  "embedded-postgres.ts#createDatabase",
  "migrate.ts#apply",
  "verify-backup.ts#countRows",
  "verify-backup.ts#inScratchDatabase",
];

const STATEMENT = /^[\s(]*(select|with|insert|update|delete)\b/i;
const LISTED = { limit: 10 };
const ASKED = { query: undefined, body: undefined, headers: {} };
const FILTER = {
  statuses: ["delivered" as const, "failed" as const, "skipped" as const, "never_owed" as const],
  types: ["message.sent" as const],
  line_id: ID,
  chat_id: ID,
  ...TIMES,
};

/** Statements composed from the input: each runs once with all options and once with none. */
const COMPOSED: Readonly<Record<string, () => Promise<unknown>>> = {
  "read-rows.ts#readPage": async () => {
    for (const handle of [null, "+15550100101"]) {
      const scope = { accountId: account.ref.id, handle };
      for (const table of tablesOf(scope)) await readRows(scope, table).next();
    }
  },
  "account-state.ts#emptyState": async () =>
    resetAccount((await createTestAccount({ type: "sandbox" })).context()),
  "analyze-grown-tables.ts#analyzeGrownTables": analyzeGrownTables,
  "drop-event-partitions.ts#dropEvents": passYear,
  "drop-event-partitions.ts#dropPartition": passYear,
  "has-rows.ts#askAll": () => Promise.all([hasRows("accounts", "true"), hasRows("partners", "true")]),
  "find-by-id.ts#findById": () => findById(account.context(), ID),
  "reseal-secrets.ts#resealColumn": () => resealSecrets(),
  "partitions.ts#addPartition": passYear,
  "partitions.ts#detachPartition": passYear,
  "partitions.ts#dropTable": passYear,
  "sweep-events.ts#sweepTable": passYear,
  "sweep-requests.ts#sweepTable": passYear,
  "search-events.ts#searchEvents": async () => {
    const ctx = account.context();
    await searchEvents(ctx, { query: { types: [], ...LISTED } });
    const { types, line_id, chat_id } = FILTER;
    const exact = { types, line_id, chat_id, ...TIMES, json_path: "$.message" };
    await searchEvents(ctx, {
      query: { ...exact, status: "failed", subscription_id: subscriptionId, ...LISTED },
    });
  },
  "sweep-expired-sandboxes.ts#emptyAccount": async () => {
    const expired = await createTestAccount({ type: "sandbox" });
    await sql.query({
      text: "update accounts set expires_at = $2 where id = $1",
      values: [expired.ref.id, new Date(0)],
    });
    expect(await sweepExpiredSandboxes(new AbortController().signal)).toBe(1);
  },
  "store-snapshot.ts#insertRows": async () => {
    const ctx = (await createTestAccount({ type: "sandbox" })).context();
    const { id } = await createSnapshot(ctx, { body: { name: "empty" } });
    await restoreSnapshot(ctx, { params: { snapshot: id } });
  },
  "list-audit-entries.ts#listAuditEntries": async () => {
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
  // `every-list.test.ts` counts the rows of each list.
  "total-of.ts#totalOf": () => {
    const rows = { text: "select from accounts where id = $1", values: [account.ref.id] };
    return totalOf(account.context(), { items: [], nextCursor: "further" }, { cursor: undefined, rows });
  },
  "update-account-options.ts#storeOptions": () =>
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
        expires_at: null,
        requests_per_minute: null,
        daily_messages: null,
        pair_messages: null,
        storage_mb: null,
        checkout_clip: "active",
      },
    }),
  "search-attachments.ts#searchAttachments": async () => {
    const ctx = account.context();
    await searchAttachments(ctx, { query: LISTED });
    const exact = { family: "image" as const, tier: "persistent" as const, direction: "sent" as const };
    await searchAttachments(ctx, {
      query: { ...exact, line: account.line, q: "a", cursor: encodeCursor([ID]), ...LISTED },
    });
  },
  "list-chat-health.ts#selectChats": async () => {
    const ctx = account.context();
    for (const status of ["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"] as const) {
      await listChatHealth(ctx, { query: { status, ...LISTED } });
      const cursor = encodeCursor([new Date(0).toISOString(), ID]);
      await listChatHealth(ctx, { query: { status, line_id: ID, search: "555", cursor, ...LISTED } });
    }
  },
  "chat-conditions.ts#findFilteredChats": listEveryView,
  "search-chats.ts#searchChats": listEveryView,
  "list-thread.ts#listThread": async () => {
    for (const order of ["asc", "desc"] as const) {
      const thread = listThread(account.context(), {
        ...ASKED,
        params: { messageId: ID },
        query: { order, ...LISTED },
      });
      await expect(thread).rejects.toThrow();
    }
  },
  "update-agent-pay-settings.ts#storeSettings": async () => {
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
  "search-payment-requests.ts#searchPaymentRequests": searchPayments,
  "search-payment-requests.ts#totalPaymentRequests": searchPayments,
  "list-requests.ts#listRequests": async () => {
    const ctx = account.context();
    await listRequests(ctx, { query: LISTED });
    const exact = { method: "GET" as const, status: "4xx" as const, error_code: 2001, token_id: ID };
    await listRequests(ctx, {
      query: { ...exact, path: "/v3/chats", line: account.line, ...TIMES, ...LISTED },
    });
  },
  "sweep-leftovers.ts#sweepTable": () => sweepLeftovers(new AbortController().signal),
  "list-deliveries.ts#listDeliveries": async () => {
    const params = { subscriptionId };
    const ctx = account.context();
    await listDeliveries(ctx, { params, query: { status: [], types: [], response: [], ...LISTED } });
    const lists = {
      status: ["failed" as const],
      types: ["message.sent"],
      response: ["500", "timeout", "200"],
    };
    const ids = { chat_id: ID, message_id: ID, event_id: ID, replay_id: ID };
    const cursor = encodeCursor([new Date(0).toISOString(), ID]);
    await listDeliveries(ctx, { params, query: { ...lists, ...ids, ...TIMES, cursor, ...LISTED } });
  },
  "list-webhook-logs.ts#listWebhookLogs": async () => {
    const ctx = account.context();
    await listWebhookLogs(ctx, { query: { per_page: 10 } });
    const exact = { subscription_id: subscriptionId, status: "failed" as const, event_type: "message.sent" };
    await listWebhookLogs(ctx, { query: { ...exact, cursor: encodeCursor(["1", ID]), per_page: 10 } });
  },
  "preview-replay.ts#previewReplay": async () => {
    const params = { subscriptionId };
    const filter = { ...FILTER, json_path: "$.message" };
    await previewReplay(account.context(), { ...ASKED, params, body: { filter } });
  },
  "store-replay.ts#holdDeliveries": async () => {
    const filter = { statuses: ["never_owed" as const], types: [] };
    const replay = replayDeliveries(account.context(), {
      ...ASKED,
      params: { subscriptionId },
      body: { filter, per_second: 1 },
    });
    // The statement runs but finds nothing to replay.
    await expect(replay).rejects.toThrow();
  },
};

/** Lists the chats of every view, with and without a search, a line and a service. */
async function listEveryView(): Promise<void> {
  for (const view of ChatView.options) {
    const cursor = encodeCursor([new Date(0).toISOString(), ID]);
    for (const search of [undefined, "555"]) {
      const exact = { line_id: ID, service: "SMS" as const };
      await listConversations(account.context(), { query: { view, search, ...LISTED } });
      await listConversations(account.context(), { query: { view, search, ...exact, cursor, ...LISTED } });
    }
  }
}

test("every statement whose text the source gives can be prepared on the migrated schema", async () => {
  const texts = new Map(sites.flatMap((site) => site.texts.map((text) => [text, site.site] as const)));
  const faults: string[] = [];
  let prepared = 0;
  for (const [text, site] of texts) {
    if (!STATEMENT.test(text)) {
      if (!/^\s*(begin|commit|rollback|set|prepare|create|drop|alter|lock|listen|show)\b/i.test(text))
        faults.push(`${site}: ${text}`);
      continue;
    }
    prepared++;
    await transaction((tx) =>
      tx.query({ text: `prepare tried as ${text}` }).then(() => tx.query({ text: "deallocate tried" })),
    ).catch((error: Error) => faults.push(`${site}: ${error.message}`));
  }
  expect(faults).toEqual([]);
  expect(prepared).toBeGreaterThan(500);
});

test("a column that the next release adds changes the columns of no result", async () => {
  // PostgreSQL refuses a named statement of a running process once its result has changed.
  const texts = new Map(sites.flatMap((site) => site.texts.map((text) => [text, site.site] as const)));
  const named = [...texts].filter(([text]) => STATEMENT.test(text));
  const rollBack = new Error("all statements were prepared");
  const changed: string[] = [];
  const trying = transaction(async (tx) => {
    const before = await resultTypes(tx, named);
    const tables = await tx.query<{ name: string }>({
      text: `select format('%I', relname) as name from pg_class
             where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
    });
    expect(tables.length).toBeGreaterThan(80);
    for (const { name } of tables) await tx.query({ text: `alter table ${name} add column added int4` });
    const after = await resultTypes(tx, named);
    for (const [index, [, site]] of named.entries()) if (after[index] !== before[index]) changed.push(site);
    throw rollBack;
  });
  await expect(trying).rejects.toBe(rollBack);
  expect([...new Set(changed)]).toEqual([]);
});

/** The types of the columns of each statement's result, as text. */
async function resultTypes(tx: Sql, statements: [text: string, site: string][]): Promise<(string | null)[]> {
  const types: (string | null)[] = [];
  for (const [text] of statements) {
    await tx.query({ text: `prepare tried as ${text}` });
    const [row] = await tx.query<{ types: string | null }>({
      text: "select result_types::text as types from pg_prepared_statements where name = 'tried'",
    });
    types.push(row?.types ?? null);
    await tx.query({ text: "deallocate tried" });
  }
  return types;
}

test("every statement that inserts messages stores the thread of a reply", () => {
  const inserts = sites.flatMap(({ site, texts }) =>
    texts.filter((text) => /insert into messages\b/i.test(text)).map((text) => ({ site, text })),
  );
  expect([...new Set(inserts.map(({ site }) => site))].sort()).toEqual([
    "accept-message.ts#acceptBatched",
    "accept-message.ts#acceptOne",
    "receive-text.ts#receiveAll",
    "store-inbound.ts#storeInbound",
  ]);

  const forgetful = inserts.filter(({ text }) => {
    const [, columns = ""] = /insert into messages \(([^)]*)\)/i.exec(text) ?? [];
    return !/\bthread_id\b/.test(columns) || !text.includes("then (select coalesce(m.thread_id, m.id)");
  });
  expect(forgetful).toEqual([]);
});

test("every statement that is composed at run time is named here, and is sent", async () => {
  const unreadable = sites.filter((site) => site.unreadable !== null).map((site) => site.site);
  expect([...new Set(unreadable)].sort()).toEqual([...PLUMBING, ...Object.keys(COMPOSED)].sort());

  for (const [site, work] of Object.entries(COMPOSED)) {
    const sent = await recordStatements(work);
    expect(sent.length, site).toBeGreaterThan(0);
  }
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
    await searchPaymentRequests(ctx, { query: { ...asked, ...LISTED } });
    await totalPaymentRequests(ctx, { query: asked });
  }
  await searchPaymentRequests(ctx, { query: { ...query, cursor: encodeCursor([ID]), ...LISTED } });
}
