import "server-only";
import { z } from "zod";
import { auditConditionFields, prepareAuditSearch } from "@/lib/identity/audit/audit-conditions";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";

const TIMEOUT_MS = 3000;

const AuditEntry = z.object({
  id: z.uuid(),
  /** `<object>.<verb>`, as in "account.options_changed". */
  action: z.string(),
  object_type: z.string(),
  object_id: z.string().nullable(),
  /** The name of the object while it is stored, such as the phone number of a line. null if it has none. */
  object: z.string().nullable(),
  /** Whether the object is a line that was released or an endpoint that was deleted, which have no page. */
  is_object_gone: z.boolean(),
  by: z.object({
    type: z.enum(["user", "api", "system"]),
    id: z.uuid().nullable(),
    /** null for Trunkline and its commands, and for users that no longer exist. */
    name: z.string().nullable(),
    /** Whether the user is an operator of the instance now. */
    is_operator: z.boolean(),
  }),
  /** The IP address of the client. null for changes without a request. */
  address: z.string().nullable(),
  /** The changed values. Never contains a secret or the content of a message. */
  detail: z.record(z.string(), z.unknown()),
  /** The names of the colleagues, API tokens, lines and teams whose IDs are in `detail`, by ID. */
  names: z.record(z.string(), z.string()),
  trace_id: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListAuditEntries = contract({
  summary: "List the entries of the audit log",
  tag: "Account",
  right: "view_history",
  query: z.object({
    ...auditConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(500, 50),
  }),
  returns: z.object({
    entries: z.array(AuditEntry),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

type Row = Omit<AuditEntry, "created_at"> & { created_at: Date };

const CursorKey = z.tuple([z.uuid()]);

/** The names of objects, by the type of the object. `o.id` is its ID if that is a UUID. */
const OBJECT_NAME = `case e.object_type
  when 'line' then (select l.phone_number from lines l where l.account_id = e.account_id and l.id = o.id)
  when 'api_token' then (select t.name from api_tokens t where t.account_id = e.account_id and t.id = o.id)
  when 'webhook_subscription' then (select split_part(s.target_url, '?', 1) from webhook_subscriptions s
    where s.account_id = e.account_id and s.id = o.id)
  when 'user' then (select u.name from users u where u.id = o.id)
  when 'team' then (select t.name from teams t where t.account_id = e.account_id and t.id = o.id)
  when 'consumer' then e.object_id
end`;

const IS_OBJECT_GONE = `case e.object_type
  when 'line' then not exists (select from lines l
    where l.account_id = e.account_id and l.id = o.id and l.released_at is null)
  when 'webhook_subscription' then not exists (select from webhook_subscriptions s
    where s.account_id = e.account_id and s.id = o.id)
  when 'team' then not exists (select from teams t where t.account_id = e.account_id and t.id = o.id)
  when 'consumer' then not exists (select from event_consumers s
    where s.account_id = e.account_id and s.name = e.object_id)
  else false
end`;

const UUIDS_IN_DETAIL = `select distinct (text #>> '{}')::uuid as id from jsonb_path_query(e.detail,
  '$.** ? (@.type() == "string" && @ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")') text`;

const NAMES = `(select coalesce(jsonb_object_agg(named.id, named.name), '{}') from (${UUIDS_IN_DETAIL}) i
  cross join lateral (
    select i.id, u.name from memberships m join users u on u.id = m.user_id
    where m.partner_id = e.partner_id and m.user_id = i.id
    union all select i.id, t.name from api_tokens t where t.account_id = e.account_id and t.id = i.id
    union all select i.id, l.phone_number from lines l where l.account_id = e.account_id and l.id = i.id
    union all select i.id, t.name from teams t where t.account_id = e.account_id and t.id = i.id
  ) named)`;

const ACTOR = `jsonb_build_object('type', e.actor_type, 'id', e.actor_id,
  'name', case e.actor_type
    when 'user' then (select u.name from users u where u.id = e.actor_id)
    when 'api' then (select t.name from api_tokens t where t.account_id = e.account_id and t.id = e.actor_id)
  end,
  'is_operator', e.actor_type = 'user'
    and exists (select from users u where u.id = e.actor_id and u.is_operator))`;

/**
 * The audit log of the account, newest first. Users with the right to manage people also see the entries of the partner
 * about people and sign-ins. Errors: parameter_invalid (also for a search that exceeds its time limit).
 */
export async function listAuditEntries(
  ctx: Context,
  { query }: Pick<Input<typeof ListAuditEntries>, "query">,
) {
  const { cursor, limit, ...conditions } = query;
  const { branches, values } = prepareAuditSearch(ctx, conditions);
  const matching = (columns: string, end = "") =>
    branches
      .map((branch) => `(select ${columns} from audit_entries e where ${branch} ${end})`)
      .join(" union all ");

  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const [afterAt, limitAt] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const isNext = after === null ? `and ${afterAt}::uuid is null` : `and e.id < ${afterAt}`;
  const newest = `order by id desc limit ${limitAt}`;
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<Row>({
      text: `select e.id, e.action, e.object_type, e.object_id, e.detail, e.address, e.trace_id, e.created_at,
               ${OBJECT_NAME} as object, ${IS_OBJECT_GONE} as is_object_gone, ${NAMES} as names,
               ${ACTOR} as by
             from (select * from (${matching("e.*", `${isNext} ${newest}`)}) found ${newest}) e
             cross join lateral (
               select case when e.object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.object_id::uuid end as id
             ) o
             order by e.id desc`,
      values: [...values, after, limit + 1],
    }),
  );

  const page = toPage(rows, limit, ({ id }) => [id]);
  const entries = page.items.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const total = await totalOf(ctx, page, { cursor, count: countText({ text: matching("1"), values }) });
  return { entries, next_cursor: page.nextCursor, total };
}

/** The audit log as CSV. */
export const exportAuditEntries = exportOf(ListAuditEntries, listAuditEntries, {
  summary: "Export the audit log as CSV",
  filename: "audit-log.csv",
  proof: true,
  pageRows: 500,
  itemsOf: (page) => page.entries,
  columns: {
    entry_id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    action: ({ action }) => action,
    object_type: ({ object_type }) => object_type,
    object_id: ({ object_id }) => object_id,
    object: ({ object }) => object,
    by_type: ({ by }) => by.type,
    by_id: ({ by }) => by.id,
    by_name: ({ by }) => by.name,
    address: ({ address }) => address,
    detail: ({ detail }) => JSON.stringify(detail),
    trace_id: ({ trace_id }) => trace_id,
  },
});
