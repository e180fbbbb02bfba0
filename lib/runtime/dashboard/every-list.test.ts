import "@/lib/testing/use-test-database";

import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import * as subscriptions from "@/app/api/webhook-subscriptions/route";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { newCheckoutSession } from "@/lib/payments/requests/checkout-session";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { ListTotal } from "@/lib/platform/lists/total-of";
import { now } from "@/lib/platform/time/clock";
import type { Route } from "@/lib/runtime/http/endpoint";
import type { ApiAnswer } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const ROWS = 3;
const routeFiles = import.meta.glob<{ GET?: Route }>("/app/api/**/route.ts", { eager: true });

const lists = Object.entries(routeFiles).flatMap(([file, { GET: list }]) => {
  const path = file.replace(/^\/app|\/route\.ts$/g, "");
  const csv = routeFiles[`/app${path}/csv/route.ts`]?.GET;
  const shape = list?.contract?.returns instanceof z.ZodObject ? list.contract.returns.shape : {};
  return list && (csv || shape.total === ListTotal)
    ? [{ path, list, csv, isPaged: "next_cursor" in shape }]
    : [];
});

let account: TestAccount;
let admin: DashboardUser;
let subscriptionId: string;
/** The common prefix of the handles of all chats. */
let recipients: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  for (let n = 0; n < ROWS; n++) {
    await signInAs(account, "viewer");
    await admin.signInAgain();
    await updateAccountOptions(account.context(), { body: { daily_messages: 100 + n } });
    await createAccount(account.ref.partnerId, `Listed ${n}`, "sandbox");
    const phone = await createTestPhone(account);
    await createDirectChat(account, phone);
    recipients = phone.slice(1, 5);
  }
  await logTestRequests(account, ROWS);
  const { body } = await admin.call(subscriptions.POST, {
    method: "POST",
    body: { target_url: "https://example.com/hook", subscribed_events: ["message.sent"] },
  });
  subscriptionId = body.id;
  await seed(
    `insert into opt_outs (account_id, id, handle, cause, started_at) values ($1, $2, $3, 'keyword', now())`,
    (n) => [newId(now().getTime()), `+1555010010${n}`],
  );
  await seed(
    `insert into opt_out_hints (account_id, id, handle, chat_id, message_id, word, created_at)
     values ($1, $2, $3, gen_random_uuid(), gen_random_uuid(), 'stop', now())`,
    (n) => [newId(now().getTime()), `+1555010010${n}`],
  );
  await seed(
    `insert into account_notices (account_id, id, kind, severity, title, body, created_at)
     values ($1, $2, 'test', 'info', $3, '', now())`,
    (n) => [newId(now().getTime()), `Notice ${n}`],
  );
  await seed(`insert into contacts (account_id, handle, blocked_at) values ($1, $2, now())`, (n) => [
    `+1555010020${n}`,
  ]);
  await seed(
    `insert into handle_connections (account_id, provider, handle, status, codes_since, created_at, updated_at)
     values ($1, 'servicecard', $2, 'connected', now(), now(), now())`,
    (n) => [`+1555010030${n}`],
  );
  await seed(
    `insert into agent_payments (account_id, id, handle, amount_minor, currency, metadata, provider, status, moved_at,
       trace_id, created_at)
     values ($1, $2, '+15550100300', $3, 'usd', '{}', 'servicecard', 'expired', now(), 'trace', now())`,
    (n) => [newId(now().getTime()), n + 1],
  );
  await seed(
    `insert into payment_requests (account_id, id, mode, amount_minor, currency, description, processor, merchant_id,
       session_hash, session_sealed, trace_id, expires_at, created_at, updated_at)
     values ($1, $2, 'payment', 100, 'usd', $3, 'stripe', 'merchant', $4, $5,
       'trace', now(), now(), now())`,
    (n) => {
      const id = newId(now().getTime());
      const { hash, sealed } = newCheckoutSession({ accountId: account.ref.id, id });
      return [id, `Order ${n}`, hash, sealed];
    },
  );
  await seed(
    `insert into scheduled_messages (account_id, id, chat_id, content, parts, override_optout, actor_type, trace_id, due_at,
       created_at, updated_at)
     select account_id, $2, id, '{}', $3::jsonb, false, 'system', 'trace', now() + interval '1 day', now(), now()
     from chats where account_id = $1 limit 1`,
    (n) => [newId(now().getTime()), JSON.stringify([{ type: "text", value: `Later ${n}` }])],
  );
  await seed(
    `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, created_at)
     values ($1, $2, $3, 'application/pdf', 1, 'complete', 'persistent', now())`,
    (n) => [newId(now().getTime()), `report-${n}.pdf`],
  );
  await seed(
    `insert into event_consumers (account_id, name, id, types, phone_numbers, start, version, position, delivered_through, active_at, created_at)
     values ($1, $2, $3, '{}', '{}', 'now', '2026-02-03', 0, 0, now(), now())`,
    (n) => [`consumer-${n}`, newId(now().getTime())],
  );
  await seed(
    `insert into webhook_replays (account_id, id, subscription_id, selection, is_bulk, total, per_second, state,
       trace_id, created_at, ended_at)
     values ($1, $2, $3, '{"filter": {"statuses": [], "types": []}}', true, 1, 50, 'done', 'trace', now(), now())`,
    () => [newId(now().getTime()), subscriptionId],
  );
  await seed(
    `insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at, ended_at)
     select $1::uuid, $2::uuid, $3::uuid, seq, 'delivered', now(), now() from events where account_id = $1::uuid and not internal
     order by seq offset $4 limit 1`,
    (n) => [newId(now().getTime()), subscriptionId, n],
  );
});

/** Runs a statement once per row. $1 is the account. */
async function seed(text: string, valuesOf: (n: number) => unknown[]): Promise<void> {
  for (let n = 0; n < ROWS; n++) await sql.runText({ text, values: [account.ref.id, ...valuesOf(n)] });
}

type Query = Readonly<Record<string, string>>;

/** Queries that match at least two rows, in addition to the unfiltered list. */
const QUERIES: Record<string, () => string[]> = {
  "/api/accounts": () => ["status=active"],
  "/api/agent-payments": () => ["handle=%2B15550100300", "status=expired,canceled"],
  "/api/agent-payments/connections": () => ["status=connected"],
  "/api/attachments": () => ["q=report&family=document&status=complete", "status=complete"],
  "/api/audit-log": () => ["object_type=account", "from=2020-01-01T00:00:00Z"],
  "/api/blocked-handles": () => ["search=010020"],
  "/api/chat-health": () => [`status=HEALTHY&search=${recipients}`],
  "/api/chats": () => [`search=${recipients}`],
  "/api/events": () => [
    "types=chat.created",
    `status=delivered&subscription_id=${subscriptionId}`,
    "from=2020-01-01T00:00:00Z",
  ],
  "/api/opt-outs": () => ["state=all"],
  "/api/payment-requests": () => ["q=order&status=requested&currency=usd"],
  "/api/requests": () => ["method=GET&status=2xx"],
  "/api/webhooks/[subscriptionId]/deliveries": () => ["status=delivered"],
  "/api/webhooks/replays": () => [`subscription_id=${subscriptionId}`],
};

type List = (typeof lists)[number];

function read(route: Route, query: Query): Promise<ApiAnswer> {
  return admin.call(route, { query, params: { subscriptionId } });
}

/** Reads all pages with one item per page. Returns the items and the total of each page. */
async function pagesOf({ list }: List, query: Query) {
  const totals: unknown[] = [];
  let items = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await read(list, { ...query, limit: "1", ...(cursor && { cursor }) });
    expect(status, JSON.stringify(body)).toBe(200);
    items += Object.values(body).find(Array.isArray)?.length ?? 0;
    totals.push(body.total);
    cursor = body.next_cursor;
  }
  return { items, totals };
}

test("each page of the dashboard that shows a list has an entry here", () => {
  expect(lists.length).toBeGreaterThan(17);
});

describe.each(lists.filter(({ isPaged }) => isPaged))("$path", (each) => {
  test("counts on its first page what all its pages list", async () => {
    for (const query of ["", ...(QUERIES[each.path]?.() ?? [])]) {
      const { items, totals } = await pagesOf(each, Object.fromEntries(new URLSearchParams(query)));
      const toDo = `${each.path}?${query} has less than two rows: add ${ROWS} in beforeAll of this file`;
      expect(items, toDo).toBeGreaterThan(1);
      expect(totals).toEqual([{ count: items, is_capped: false }, ...Array(items - 1).fill(null)]);
    }
  });
});

describe.each(lists)("$path", ({ list, csv }) => {
  test("exports each of its items as a row, with the right of the list", async () => {
    expect(csv?.contract.right).toBe(list.contract.right);
    const { body: page } = await read(list, {});
    const { body: file, status } = await read(csv as Route, {});
    expect(status).toBe(200);
    const [names, ...rows]: string[][] = parse(file, { bom: true });
    expect(rows).toHaveLength(Object.values(page).find(Array.isArray)?.length ?? -1);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names?.length);
  });
});
