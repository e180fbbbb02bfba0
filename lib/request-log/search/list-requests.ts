import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { LoggedRequest, type RequestRow, toLoggedRequest } from "@/lib/request-log/search/api-request";
import { findRequestSubject } from "@/lib/request-log/search/find-request-subject";
import { findRoute, listRoutes } from "@/lib/request-log/search/find-route";
import { prepareRequestSearch, requestConditionFields } from "@/lib/request-log/search/request-conditions";

const TIMEOUT_MS = 3000;

const EXAMPLE_REQUEST: LoggedRequest = {
  id: "019ca9c2-9c40-7f86-9a55-70b162930415",
  created_at: "2026-03-01T12:00:03.000Z",
  method: "POST",
  route: "/v3/chats/{chatId}/messages",
  path: "/v3/chats/019ca9c2-4c02-7c53-ad22-4d8e3f607182/messages",
  status: 403,
  error_code: 2024,
  latency_ms: 4.2,
  line: "+12025550100",
  chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182",
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  token: { id: "019ca9c0-2222-7111-8222-333344445555", name: "Production" },
};

export const ListRequests = contract({
  summary: "Search the request log of the account",
  description:
    "Returns the API requests of the account, newest first. Requests are logged within a second or two of their response. A Trunkline extension.",
  tag: "Requests",
  right: "view_requests",
  query: z.object({
    ...requestConditionFields,
    cursor: z
      .string()
      .check(maxUnits(200))
      .optional()
      .describe("The `next_cursor` of the previous page. Omit for the first page."),
    limit: limitParameter(200, 50),
  }),
  returns: z
    .object({
      requests: z.array(LoggedRequest).describe("One page of logged requests."),
      next_cursor: nextCursor,
      total: ListTotal,
    })
    .meta({ examples: [{ requests: [EXAMPLE_REQUEST], next_cursor: null, total: null }] }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
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
    return { rows: await tx.runText<RequestRow>(search.page), matching: search.matching };
  });

  const page = toPage(rows, limit, (row) => [row.id]);
  const total = await totalOf(ctx, page, { cursor, count: matching && countText(matching) });
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
