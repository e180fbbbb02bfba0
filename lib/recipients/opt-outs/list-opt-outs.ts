import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { OptOutCause } from "@/lib/platform/prisma/enums";
import { maxUnits } from "@/lib/platform/text/max-units";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const OVERRIDES_SHOWN = 5;
const MAX_WORDS = 500;

/** A send that was accepted despite the opt-out. */
const OptOutOverride = z.object({
  message_id: z.uuid(),
  chat_id: z.uuid(),
  at: z.iso.datetime(),
  by: NamedActor,
  /** The reason, or null for a send by a program. */
  reason: z.string().nullable(),
});

export type OptOutOverride = z.infer<typeof OptOutOverride>;

const OptOut = z
  .object({
    id: z.uuid(),
    handle: z.string(),
    cause: z.enum(OptOutCause),
    keyword: z.string().nullable(),
    chat_id: z.uuid().nullable(),
    message_id: z.uuid().nullable(),
    /** The text of that message; null when there is none, or when its content is no longer stored. */
    words: z.string().nullable(),
    by: NamedActor,
    /** The file that the opt-out was imported from. */
    source_file: z.string().nullable(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    end_cause: z.enum(OptOutCause).nullable(),
    end_message_id: z.uuid().nullable(),
    ended_by: NamedActor,
    /** The last of them. */
    overrides: z.array(OptOutOverride),
  })
  .meta({ id: "OptOut" });

export type OptOut = z.infer<typeof OptOut>;

/** Filters of the list of opt-outs. */
const optOutConditionFields = {
  /** open: current opt-outs; all: also those that ended. */
  state: z.enum(["open", "all"]).default("open"),
  /** The complete handle. A phone number can have any format. */
  handle: z.string().check(maxUnits(254)).transform(normalizeHandle).optional(),
};

export const ListOptOuts = contract({
  summary: "List opt-outs with their evidence",
  tag: "Opt-outs",
  right: "view_opt_outs",
  query: z.object({
    ...optOutConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(100, 50),
  }),
  returns: z.object({ opt_outs: z.array(OptOut), next_cursor: z.string().nullable(), total: ListTotal }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.uuid()]);

const WORDS = `(select nullif(left(string_agg(part ->> 'value', ' '), ${MAX_WORDS}), '')
  from messages m cross join jsonb_array_elements(m.parts) part
  where m.account_id = o.account_id and m.id = o.message_id and m.deleted_at is null and part ->> 'type' = 'text')`;

// Both conditions are left out of the plan unless they are asked for, so each list reads the index that fits it.
const MATCHING = `from opt_outs o
  where o.account_id = :accountId and (:isAll::boolean or o.ended_at is null) and (:handle::text is null or o.handle = :handle)`;

const LIST_OPT_OUTS = plannedStatement(
  "list-opt-outs",
  `select o.id, o.handle, o.cause, o.keyword, o.chat_id, o.message_id, o.source_file, ${WORDS} as words,
    ${actorSql("o.actor_type", "o.actor_id", "o.account_id")} as "by: ActorName",
    ${isoSql("o.started_at")} as "started_at!", ${isoSql("o.ended_at")} as ended_at, o.end_cause, o.end_message_id,
    ${actorSql("o.end_actor_type", "o.end_actor_id", "o.account_id")} as "ended_by: ActorName",
    coalesce((
      select jsonb_agg(jsonb_build_object('message_id', v.message_id, 'chat_id', v.chat_id,
        'at', ${isoSql("v.at")}, 'reason', v.reason, 'by', ${actorSql("v.actor_type", "v.actor_id", "o.account_id")}) order by v.at desc)
      from (
        select * from opt_out_overrides v
        where v.account_id = o.account_id and v.handle = o.handle and v.at >= o.started_at
          and v.at <= coalesce(o.ended_at, 'infinity')
        order by v.at desc limit ${OVERRIDES_SHOWN}
      ) v), '[]') as "overrides: OptOutOverride[]"
  ${MATCHING} and (:after::uuid is null or o.id < :after)
  order by o.id desc limit :limit`,
);

const COUNT_OPT_OUTS = plannedStatement("count-opt-outs", countSql(`select ${MATCHING}`));

/** Lists opt-outs, newest first, with their causes and the sends that overrode them. Errors: parameter_invalid. */
export async function listOptOuts(ctx: Context, { query }: Pick<Input<typeof ListOptOuts>, "query">) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const matching = { accountId: ctx.account.id, isAll: query.state === "all", handle: query.handle };
  const rows = await sql.run(LIST_OPT_OUTS, { ...matching, after, limit: query.limit + 1 });

  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_OPT_OUTS, matching),
  });
  return { opt_outs: page.items, next_cursor: page.nextCursor, total };
}

function isoSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Opt-outs as CSV. */
export const exportOptOuts = exportOf(ListOptOuts, listOptOuts, {
  summary: "Export opt-outs as CSV",
  filename: "opt-outs.csv",
  pageRows: 500,
  itemsOf: (page) => page.opt_outs,
  columns: {
    handle: ({ handle }) => handle,
    cause: ({ cause }) => cause,
    keyword: ({ keyword }) => keyword,
    words: ({ words }) => words,
    by: ({ by }) => by?.name ?? by?.type,
    source_file: ({ source_file }) => source_file,
    started_at: ({ started_at }) => started_at,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
    ended_at: ({ ended_at }) => ended_at,
    end_cause: ({ end_cause }) => end_cause,
    ended_by: ({ ended_by }) => ended_by?.name ?? ended_by?.type,
    end_message_id: ({ end_message_id }) => end_message_id,
    last_override_at: ({ overrides }) => overrides[0]?.at,
    last_override_by: ({ overrides }) => overrides[0]?.by?.name ?? overrides[0]?.by?.type,
    last_override_reason: ({ overrides }) => overrides[0]?.reason,
  },
});
