import "server-only";
import { z } from "zod";
import { boundedSearch } from "@/lib/platform/bounded-search";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { exportOf } from "@/lib/platform/export-of";
import { maxUnits } from "@/lib/platform/max-units";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";
import { ListTotal, totalOf } from "@/lib/platform/total-of";
import { LoggedRequest, type RequestRow, toLoggedRequest } from "@/lib/request-log/api-request";
import { findRequestSubject } from "@/lib/request-log/find-request-subject";
import { findRoute, listRoutes } from "@/lib/request-log/find-route";
import { prepareRequestSearch, requestConditionFields } from "@/lib/request-log/request-conditions";

const TIMEOUT_MS = 3000;

export const ListRequests = contract({
  summary: "Search the request log of the account",
  tag: "Requests",
  right: "view_requests",
  query: z.object({
    ...requestConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(200, 50),
  }),
  returns: z.object({
    requests: z.array(LoggedRequest),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.uuid()]);

/**
 * The account's API requests, newest first. Errors: parameter_invalid (also for a search that exceeds its time limit).
 */
export async function listRequests(ctx: Context, { query }: Pick<Input<typeof ListRequests>, "query">) {
  const { q, path, cursor, limit, ...exact } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const accountId = ctx.account.id;
  const { rows, matching } = await boundedSearch(ctx.account.id, TIMEOUT_MS, async (tx) => {
    const subject = q ? await findRequestSubject(tx, accountId, q) : null;
    const wanted = path ? findRoute(await listRoutes(tx, accountId), path) : null;
    const search = prepareRequestSearch(accountId, { ...exact, subject, path: wanted, after, limit });
    return { rows: await tx.query<RequestRow>(search.page), matching: search.matching };
  });

  const page = toPage(rows, limit, (row) => [row.id]);
  const total = await totalOf(ctx, page, { cursor, rows: matching });
  return { requests: page.items.map(toLoggedRequest), next_cursor: page.nextCursor, total };
}

/** The request log as CSV. */
export const exportRequests = exportOf(ListRequests, listRequests, {
  summary: "Export the request log of the account as CSV",
  filename: "requests.csv",
  pageRows: 1000,
  itemsOf: (page) => page.requests,
  columns: {
    request_id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    method: ({ method }) => method,
    route: ({ route }) => route,
    path: ({ path }) => path,
    status: ({ status }) => status,
    error_code: ({ error_code }) => error_code,
    latency_ms: ({ latency_ms }) => latency_ms,
    line: ({ line }) => line,
    chat_id: ({ chat_id }) => chat_id,
    trace_id: ({ trace_id }) => trace_id,
    token_id: ({ token }) => token.id,
    token_name: ({ token }) => token.name,
  },
});
