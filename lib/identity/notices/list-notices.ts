import "server-only";
import { z } from "zod";
import { Notice, SEES_NOTICE } from "@/lib/identity/notices/notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
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

const STATUSES = {
  open: "and n.dismissed_at is null and d.user_id is null",
  past: "and (n.dismissed_at is not null or d.user_id is not null)",
  all: "",
};

/** SQL: the notices of an account with the dismissals of the caller, who is null for programs. */
const matching = (status: keyof typeof STATUSES) =>
  `from account_notices n left join notice_dismissals d
    on d.account_id = :accountId and d.notice_id = n.id and d.user_id = :userId::uuid
  where n.account_id = :accountId and ${SEES_NOTICE} ${STATUSES[status]}`;

/** SQL: the order of the notices. Severe ones of any age come before the others while they are open. */
const ORDERS = { open: ["n.severity", "n.id"], past: ["n.id"], all: ["n.id"] };

const pageOf = (status: keyof typeof STATUSES, order = ORDERS[status]) =>
  `select n.id, n.kind, n.severity, n.title, n.body, n.link, n.created_at,
    n.dismissed_at as ended_at, d.dismissed_at as read_at
  ${matching(status)}
    and (:after::uuid is null or (${order.join(", ")}) < (select ${order.join(", ")} from account_notices n
      where n.account_id = :accountId and n.id = :after))
  order by ${order.map((column) => `${column} desc`).join(", ")} limit :limit`;

const LIST_NOTICES = {
  open: statement("list-notices-open", pageOf("open")),
  past: statement("list-notices-past", pageOf("past")),
  all: statement("list-notices-all", pageOf("all")),
};

const countOf = (status: keyof typeof STATUSES) => countSql(`select ${matching(status)}`);

const COUNT_NOTICES = {
  open: plannedStatement("count-notices-open", countOf("open")),
  past: plannedStatement("count-notices-past", countOf("past")),
  all: plannedStatement("count-notices-all", countOf("all")),
};

/**
 * The account's notices and the caller's own, as the caller sees them: newest first, and open ones by severity before.
 * Errors: parameter_invalid.
 */
export async function listNotices(
  ctx: Context,
  { query }: Pick<Input<typeof ListNotices>, "query">,
): Promise<z.infer<typeof ListNotices.returns>> {
  const { actor } = ctx;
  const userId = actor.type === "user" ? actor.userId : null;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const { status = "all" } = query;
  const accountId = ctx.account.id;
  const rows = await sql.run(LIST_NOTICES[status], { accountId, userId, after, limit: query.limit + 1 });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_NOTICES[status], { accountId, userId }),
  });
  return { notices: page.items.map(toNotice), next_cursor: page.nextCursor, total };
}

function toNotice({ ended_at, read_at, ...row }: RowOf<"list-notices-all">): Notice {
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
