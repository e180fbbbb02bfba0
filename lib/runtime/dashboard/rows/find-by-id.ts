import "server-only";
import { deliveryState } from "@/lib/events/store/delivery-state";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import type { Right } from "@/lib/platform/rights/right";
import { hasRight } from "@/lib/platform/rights/role-rights";
import type { Finding } from "@/lib/runtime/dashboard/finding";

interface IdRow {
  type: keyof typeof SOURCES;
  id: string;
  title: string;
  detail: string | null;
  /** A further id or handle that the path needs. */
  parent: string | null;
}

interface Source {
  /** The right of the page that shows the object. */
  right: Right;
  /** Selects title, detail and parent of the object with the id $2 in the account $1. */
  select: string;
  path: (row: Pick<IdRow, "id" | "parent">) => string;
}

const ROW = "account_id = $1 and id = $2::uuid";
const ENDPOINT = `join webhook_subscriptions s on s.account_id = t.account_id and s.id = t.subscription_id
  where t.account_id = $1 and t.id = $2::uuid and s.deleted_at is null`;

/** The types of objects that are found by id, the likeliest first. Each select is a lookup by primary key or index. */
const SOURCES = {
  message: {
    right: "view_events",
    select: `select 'Message', delivery_status::text, null from messages where ${ROW} and deleted_at is null`,
    path: ({ id }) => `/traces/${id}`,
  },
  chat: {
    right: "view_chats",
    select: `select coalesce(display_name, recipient_handle, 'Chat'), service::text, null from chats where ${ROW}`,
    path: ({ id }) => `/chats/${id}`,
  },
  event: {
    right: "view_events",
    select: `select type, '#' || seq, null from events where ${ROW} and not internal`,
    path: ({ id }) => `/events?q=${id}`,
  },
  request: {
    right: "view_requests",
    select: `select method || ' ' || coalesce(route, split_part(path, '?', 1)), status::text, null
      from api_requests where ${ROW}`,
    path: ({ id }) => `/requests/${id}`,
  },
  payment_request: {
    right: "view_payments",
    select: `select coalesce(description, 'Payment request'), status::text, null from payment_requests where ${ROW}`,
    path: ({ id }) => `/payments/${id}`,
  },
  agent_payment: {
    right: "view_payments",
    select: `select coalesce(description, merchant_name, 'Agent payment'), status::text, null
      from agent_payments where ${ROW}`,
    path: ({ id }) => `/agent-payments/${id}`,
  },
  delivery: {
    right: "view_webhooks",
    select: `select 'Webhook delivery', ${deliveryState("t")}, t.subscription_id::text from webhook_deliveries t ${ENDPOINT}`,
    path: ({ id, parent }) => `/webhooks/${parent}/deliveries/${id}`,
  },
  subscription: {
    right: "view_webhooks",
    select: `select target_url, null, null from webhook_subscriptions where ${ROW} and deleted_at is null`,
    path: ({ id }) => `/webhooks/${id}`,
  },
  replay: {
    right: "view_webhooks",
    select: `select 'Webhook replay', t.state::text, t.subscription_id::text from webhook_replays t ${ENDPOINT}`,
    path: ({ parent }) => `/webhooks/${parent}/replays`,
  },
  line: {
    right: "view_lines",
    select: `select phone_number, status::text, null from lines where ${ROW} and released_at is null`,
    path: ({ id }) => `/lines/${id}`,
  },
  audit: {
    right: "view_lines",
    select: `select 'Reputation audit', status::text, line_id::text from reputation_audits where ${ROW}`,
    path: ({ id, parent }) => `/lines/${parent}/audits?audit=${id}`,
  },
  attachment: {
    right: "view_chats",
    select: `select filename, content_type, null from attachments where ${ROW}`,
    path: ({ id }) => `/attachments/${id}`,
  },
  // The page of near misses lists undecided ones only.
  near_miss: {
    right: "view_opt_outs",
    select: `select handle, coalesce(decision::text, 'undecided'), case when decided_at is not null then handle end
      from opt_out_hints where ${ROW}`,
    path: ({ parent }) => (parent === null ? "/opt-outs/near-misses" : customerPath(parent)),
  },
  opt_out: {
    right: "view_opt_outs",
    select: `select handle, case when ended_at is null then 'current' else 'ended' end, handle from opt_outs where ${ROW}`,
    path: ({ parent }) => customerPath(parent ?? ""),
  },
  token: {
    right: "view_tokens",
    select: `select name, prefix || '…' || last_four, null from api_tokens where ${ROW} and session_id is null`,
    path: () => "/tokens",
  },
} as const satisfies Partial<Record<Finding["type"], Source>>;

/** The path of a customer's page. */
export function customerPath(handle: string): string {
  return `/customers/${encodeURIComponent(handle)}`;
}

/**
 * The object of the account that has an id, by one statement. An object that the caller has no right to see is not
 * found, just as that of another account.
 */
export async function findById(ctx: Context, id: string): Promise<Finding[]> {
  const permitted = Object.entries(SOURCES).filter(([, { right }]) => hasRight(ctx, right));
  if (permitted.length === 0) return [];
  const selects = permitted.map(([type, { select }]) => {
    const fields = "found(title, detail, parent)";
    return `select '${type}' as type, $2 as id, title, detail, parent from (${select}) ${fields}`;
  });
  const rows = await sql.runText<IdRow>({ text: selects.join(" union all "), values: [ctx.account.id, id] });
  return rows.map(({ parent, ...row }) => ({ ...row, path: SOURCES[row.type].path({ id: row.id, parent }) }));
}
