import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const OptOutHint = z
  .object({
    id: z.uuid(),
    handle: z.string(),
    chat_id: z.uuid(),
    message_id: z.uuid(),
    word: z.string(),
    /** The text of the message while its content is stored. */
    text: z.string(),
    /** The messages before it in the chat, oldest first, at most two. */
    context: z.array(z.object({ id: z.uuid(), text: z.string(), is_from_me: z.boolean() })),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "OptOutHint" });

export type OptOutHint = z.infer<typeof OptOutHint>;

export const ListHints = contract({
  summary: "List messages that may be opt-outs",
  tag: "Opt-outs",
  right: "view_opt_outs",
  query: z.object({
    /** The complete handle. */
    handle: z.string().check(maxUnits(254)).transform(normalizeHandle).optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(100, 50),
  }),
  returns: z.object({ hints: z.array(OptOutHint), next_cursor: z.string().nullable(), total: ListTotal }),
  status: 200,
  errors: ["parameter_invalid"],
});

const MAX_TEXT = 1000;

const CursorKey = z.tuple([z.uuid()]);

/** SQL: the text of a message. */
function textOf(row: string): string {
  return `(select left(string_agg(part ->> 'value', ' '), ${MAX_TEXT}) from jsonb_array_elements(${row}.parts) part
    where part ->> 'type' = 'text')`;
}

const LIST_OPT_OUT_HINTS = statement(
  "list-opt-out-hints",
  `select h.id, h.handle, h.chat_id, h.message_id, h.word, h.created_at,
    coalesce(${textOf("m")}, '') as text, coalesce((
      select jsonb_agg(jsonb_build_object('id', before.id, 'text', coalesce(${textOf("before")}, ''), 'is_from_me', before.is_from_me)
        order by before.position)
      from (select * from messages p where p.account_id = h.account_id and p.chat_id = h.chat_id
          and p.deleted_at is null and p.position < m.position order by p.position desc limit 2) before), '[]') as "context: { id: string; text: string; is_from_me: boolean; }[]"
  from opt_out_hints h left join messages m on m.account_id = h.account_id and m.id = h.message_id
  where h.account_id = :accountId and h.decided_at is null and (:after::uuid is null or h.id < :after)
    and (:handle::text is null or h.handle = :handle)
  order by h.id desc limit :limit`,
);

const COUNT_OPT_OUT_HINTS = plannedStatement(
  "count-opt-out-hints",
  countSql(`select from opt_out_hints
    where account_id = :accountId and decided_at is null and (:handle::text is null or handle = :handle)`),
);

/** Opt-out hints that are not yet decided, newest first. Errors: parameter_invalid. */
export async function listHints(ctx: Context, { query }: Pick<Input<typeof ListHints>, "query">) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.run(LIST_OPT_OUT_HINTS, {
    accountId: ctx.account.id,
    after,
    limit: query.limit + 1,
    handle: query.handle ?? null,
  });

  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const hints = page.items.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_OPT_OUT_HINTS, { accountId: ctx.account.id, handle: query.handle }),
  });
  return { hints, next_cursor: page.nextCursor, total };
}

/** Opt-out hints as CSV. */
export const exportHints = exportOf(ListHints, listHints, {
  summary: "Export messages that may be opt-outs as CSV",
  filename: "near-misses.csv",
  pageRows: 500,
  itemsOf: (page) => page.hints,
  columns: {
    handle: ({ handle }) => handle,
    text: ({ text }) => text,
    word: ({ word }) => word,
    created_at: ({ created_at }) => created_at,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
  },
});
