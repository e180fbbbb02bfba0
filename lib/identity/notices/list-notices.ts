import "server-only";
import { z } from "zod";
import { Notice } from "@/lib/identity/notices/notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";

export const ListNotices = contract({
  summary: "List the account's notices",
  tag: "Notices",
  right: "signed_in",
  query: z.object({
    /** `past` notices are dismissed by the caller or have ended. */
    status: z.enum(["open", "past"]).optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(100, 50),
  }),
  returns: z.object({ notices: z.array(Notice), next_cursor: z.string().nullable(), total: ListTotal }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.uuid()]);

interface Row extends Omit<Notice, "created_at" | "state" | "closed_at"> {
  created_at: Date;
  ended_at: Date | null;
  read_at: Date | null;
}

// The notices of an account ($1) with the caller's dismissals ($2, null for programs).
const FROM = `from account_notices n left join notice_dismissals d
    on d.account_id = $1 and d.notice_id = n.id and d.user_id = $2::uuid
  where n.account_id = $1 and (n.user_id is null or n.user_id = $2::uuid)`;
const STATUSES = {
  open: "and n.dismissed_at is null and d.user_id is null",
  past: "and (n.dismissed_at is not null or d.user_id is not null)",
};

/** The account's notices and the caller's own, newest first, as the caller sees them. Errors: parameter_invalid. */
export async function listNotices(
  ctx: Context,
  { query }: Pick<Input<typeof ListNotices>, "query">,
): Promise<z.infer<typeof ListNotices.returns>> {
  const { actor } = ctx;
  const userId = actor.type === "user" ? actor.userId : null;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const matching = `${FROM} ${query.status === undefined ? "" : STATUSES[query.status]}`;
  const rows = await sql.query<Row>({
    name: `list-notices-${query.status ?? "all"}`,
    text: `select n.id, n.kind, n.severity::text as severity, n.title, n.body, n.link, n.created_at,
             n.dismissed_at as ended_at, d.dismissed_at as read_at
           ${matching} and ($3::uuid is null or n.id < $3) order by n.id desc limit $4`,
    values: [ctx.account.id, userId, after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: { text: `select ${matching}`, values: [ctx.account.id, userId] },
  });
  return { notices: page.items.map(toNotice), next_cursor: page.nextCursor, total };
}

function toNotice({ ended_at, read_at, ...row }: Row): Notice {
  const closedAt = read_at ?? ended_at;
  const closed = read_at === null ? "ended" : "dismissed";
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    state: closedAt === null ? "open" : closed,
    closed_at: closedAt?.toISOString() ?? null,
  };
}

/** Notices as CSV. */
export const exportNotices = exportOf(ListNotices, listNotices, {
  summary: "Export notices as CSV",
  filename: "notices.csv",
  pageRows: 500,
  itemsOf: (page) => page.notices,
  columns: {
    created_at: ({ created_at }) => created_at,
    severity: ({ severity }) => severity,
    title: ({ title }) => title,
    body: ({ body }) => body,
    state: ({ state }) => state,
    closed_at: ({ closed_at }) => closed_at ?? "",
    kind: ({ kind }) => kind,
  },
});
