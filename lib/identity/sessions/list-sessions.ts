import "server-only";
import { z } from "zod";
import { describeDevice } from "@/lib/identity/sessions/describe-device";
import { isLiveSession, sessionLimits } from "@/lib/identity/sessions/session-limits";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";

const ListedSession = z.object({
  id: z.uuid(),
  /** For example "Chrome on Windows". */
  device: z.string(),
  address: z.string().nullable(),
  /** password, oidc or passkey. */
  method: z.string(),
  created_at: z.iso.datetime(),
  /** Accurate to one minute. */
  last_seen_at: z.iso.datetime(),
  /** Whether this is the caller's session. */
  is_current: z.boolean(),
});

export type ListedSession = z.infer<typeof ListedSession>;

export const ListSessions = contract({
  summary: "List your sessions",
  tag: "Session",
  right: "signed_in",
  query: z.object({ cursor: z.string().check(maxUnits(200)).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({
    sessions: z.array(ListedSession),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
  extension: true,
});

const CursorKey = z.tuple([z.uuid()]);

const LIST_SESSIONS = statement(
  "list-sessions",
  `select s.id, s.address, s.user_agent, s.method, s.created_at, s.last_seen_at from sessions s
  where s.user_id = :userId and ${isLiveSession("s")} and (:after::uuid is null or s.id < :after)
  order by s.id desc limit :limit`,
);

const COUNT_SESSIONS = plannedStatement(
  "count-sessions",
  countSql(`select from sessions s where s.user_id = :userId and ${isLiveSession("s")}`),
);

/** The caller's own sessions that have not ended, newest first. Errors: access_denied, parameter_invalid. */
export async function listSessions(
  ctx: Context,
  { query }: Pick<Input<typeof ListSessions>, "query">,
): Promise<z.infer<typeof ListSessions.returns>> {
  const { actor } = ctx;
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const { userId } = actor;
  const { hours, idleMinutes } = sessionLimits();
  const rows = await sql.run(LIST_SESSIONS, { userId, hours, idleMinutes, after, limit: query.limit + 1 });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const sessions = page.items.map(({ user_agent, ...row }) => ({
    ...row,
    device: describeDevice(user_agent),
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    is_current: row.id === actor.sessionId,
  }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_SESSIONS, { userId, hours, idleMinutes }),
  });
  return { sessions, next_cursor: page.nextCursor, total };
}

/** The user's own sessions as CSV. */
export const exportSessions = exportOf(ListSessions, listSessions, {
  summary: "Export your sessions as CSV",
  filename: "sessions.csv",
  pageRows: 500,
  itemsOf: (page) => page.sessions,
  columns: {
    session_id: ({ id }) => id,
    device: ({ device }) => device,
    ip_address: ({ address }) => address,
    method: ({ method }) => method,
    signed_in_at: ({ created_at }) => created_at,
    last_seen_at: ({ last_seen_at }) => last_seen_at,
    is_current: ({ is_current }) => String(is_current),
  },
});
