import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { findSubjects } from "@/lib/privacy/erasure/end-payments";
import {
  type Erasure,
  findClosedChats,
  NO_ID,
  positionOf,
  replacedHandle,
  type Step,
} from "@/lib/privacy/erasure/erasure";
import { likePatterns, replaceInJson } from "@/lib/privacy/erasure/replace-handle";

const BATCH_ROWS = 1000;

interface SearchedTable {
  table: string;
  /** The columns of KEPT_TABLES (person-tables.ts) that are searched. */
  columns: readonly string[];
  /** The column by which the table is read in parts, after the account. */
  key: { column: string; type: "uuid" | "text"; first: string };
  /** When the row was written: rows from after the chats were closed belong to a new conversation. */
  time: string;
}

const BY_ID = { column: "id", type: "uuid", first: NO_ID } as const;
const CREATED = { key: BY_ID, time: "created_at" };

/** The tables that may mention a handle anywhere in the account. */
export const SEARCHED_TABLES: readonly SearchedTable[] = [
  { table: "account_notices", columns: ["title", "body", "link"], ...CREATED },
  { table: "agent_payments", columns: ["merchant_name", "merchant_url"], ...CREATED },
  { table: "attachments", columns: ["filename"], ...CREATED },
  { table: "chat_actions", columns: ["payload"], ...CREATED },
  { table: "chat_team_entries", columns: ["body"], ...CREATED },
  { table: "chats", columns: ["display_name"], ...CREATED },
  { table: "reputation_audits", columns: ["report"], ...CREATED },
  { table: "scheduled_messages", columns: ["content", "parts"], ...CREATED },
  { table: "simulator_actions", columns: ["action"], ...CREATED },
  { table: "simulator_faults", columns: ["match", "effect", "condition"], ...CREATED },
  { table: "webhook_replays", columns: ["selection"], ...CREATED },
];

interface Cursor {
  table: number;
  after: string;
}

/** Replaces the handle wherever the tables of `SEARCHED_TABLES` mention it, a thousand rows in each part. */
export const searchTables: Step = {
  name: "search-tables",
  async run(tx, erasure) {
    const { table: index, after } = (erasure.cursor as Cursor | null) ?? { table: 0, after: NO_ID };
    const searched = SEARCHED_TABLES[index];
    if (searched === undefined) return { counts: {}, cursor: null };
    const { last, rows } = await searchPart(tx, erasure, searched, after);
    await replaceRows(tx, erasure, searched, rows);
    return {
      counts: { [searched.table]: rows.length },
      cursor: last === null ? nextTable(index) : { table: index, after: last },
    };
  },
};

function nextTable(index: number): Cursor | null {
  const next = SEARCHED_TABLES[index + 1];
  return next === undefined ? null : { table: index + 1, after: next.key.first };
}

interface Part {
  /** null when no rows are left. */
  last: string | null;
  rows: unknown[];
}

async function searchPart(
  tx: Sql,
  { accountId, handle, closedAt }: Erasure,
  { table, columns, key, time }: SearchedTable,
  after: string,
): Promise<Part> {
  const [part] = await tx.runText<{ seen: number; last: string | null; rows: unknown[] }>({
    text: `with seen as materialized (
             select ${key.column}, ${columns.join(", ")}, ${time} from ${table}
             where account_id = $1 and ${key.column} > $2::${key.type} order by ${key.column} limit ${BATCH_ROWS}
           )
           select (select count(*)::int from seen) as seen,
             (select ${key.column} from seen order by ${key.column} desc limit 1) as last,
             (select coalesce(jsonb_agg(to_jsonb(s) - '${time}'), '[]') from seen s
              where s.${time} <= $3 and lower(concat_ws(' ', ${columns.map((name) => `s.${name}::text`).join(", ")})) like any($4::text[])) as rows`,
    values: [accountId, after, closedAt, likePatterns(handle)],
  });
  if (part === undefined) return { last: null, rows: [] };
  return { last: part.seen < BATCH_ROWS ? null : part.last, rows: part.rows };
}

async function replaceRows(
  tx: Sql,
  erasure: Erasure,
  { table, columns, key }: SearchedTable,
  rows: readonly unknown[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.runText({
    text: `update ${table} t set ${columns.map((name) => `${name} = r.${name}`).join(", ")}
           from jsonb_populate_recordset(null::${table}, $2::jsonb) r
           where t.account_id = $1 and t.${key.column} = r.${key.column}`,
    values: [
      erasure.accountId,
      JSON.stringify(rows.map((row) => replaceInJson(row, replacedHandle(erasure)))),
    ],
  });
}

const REPLACE_HANDLES_ON_PHONES = plannedStatement(
  "replace-handles-on-phones",
  `update simulator_messages set sender = :replacement
  where ctid = any(array(
    select ctid from simulator_messages
    where account_id = :accountId and sender = :handle and created_at <= :closedAt limit ${BATCH_ROWS}))
  returning 1`,
);

/** Replaces the sender of messages that other simulated phones received. */
export const searchPhones: Step = {
  name: "search-phones",
  async run(tx, erasure) {
    const { handle, replacement } = replacedHandle(erasure);
    const rows = await tx.run(REPLACE_HANDLES_ON_PHONES, {
      accountId: erasure.accountId,
      handle,
      replacement,
      closedAt: erasure.closedAt,
    });
    return {
      counts: { simulator_messages: rows.length },
      cursor: rows.length < BATCH_ROWS ? null : {},
    };
  },
};

const SEARCH_AUDIT_TO_ERASE = plannedStatement(
  "search-audit-to-erase",
  `with seen as materialized (
    select id, object_id, detail, created_at,
      case when object_type = 'message' and object_id ~ '^[0-9a-f-]{36}$' then object_id::uuid end as message_id
    from audit_entries where account_id = :accountId and id > :cursor order by id limit ${BATCH_ROWS}
  ), about as (
    select s.id from seen s
    where s.created_at <= :closedAt and (
      s.object_id = any(:objectIds::uuid[]::text[])
      or lower(concat_ws(' ', s.object_id, s.detail::text)) like any(:likePatterns::text[])
      or exists (
        select from messages m
        where m.account_id = :accountId and m.id = s.message_id
          and (m.chat_id = any(:objectIds::uuid[]) or m.sender_id = any(:participants::uuid[]))))
  ), changed as (
    update audit_entries e set detail = '{}',
      object_id = case when lower(e.object_id) like any(:likePatterns::text[]) then :replacement else e.object_id end
    from about where e.id = about.id and (e.detail <> '{}' or lower(e.object_id) like any(:likePatterns::text[]))
    returning 1
  )
  select (select count(*)::int from seen) as seen, (select id from seen order by id desc limit 1) as last,
    (select count(*)::int from changed) as changed`,
);

/** Empties the details of audit entries about the person, the direct chats and their messages. */
export const searchAudit: Step = {
  name: "search-audit",
  async run(tx, erasure) {
    const { handle, accountId, closedAt } = erasure;
    const { replacement } = replacedHandle(erasure);
    const { direct, participants } = await findClosedChats(tx, erasure);
    const [part] = await tx.run(SEARCH_AUDIT_TO_ERASE, {
      accountId,
      cursor: positionOf(erasure, NO_ID),
      closedAt,
      likePatterns: likePatterns(handle),
      objectIds: [...direct, ...(await findSubjects(tx, erasure))],
      participants,
      replacement,
    });
    const isDone = part === undefined || part.seen < BATCH_ROWS;
    return { counts: { audit_entries: part?.changed ?? 0 }, cursor: isDone ? null : part.last };
  },
};
