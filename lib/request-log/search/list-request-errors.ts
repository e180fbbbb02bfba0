import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { plannedStatement } from "@/lib/platform/database/statement";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { firstIdAt } from "@/lib/platform/ids";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import {
  LoggedRequest,
  REQUEST_COLUMNS,
  REQUEST_TOKEN,
  type RequestRow,
  toLoggedRequest,
} from "@/lib/request-log/search/api-request";

const TIMEOUT_MS = 3000;
const HOUR_MS = 3_600_000;

const ERROR_PERIODS = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 168 * HOUR_MS,
  "30d": 720 * HOUR_MS,
} as const;

const RequestError = z.object({
  code: z.int(),
  title: z.string(),
  /** When the API returns the code. */
  means: z.string(),
  /** The action for the caller to take. */
  fix: z.string(),
  doc_url: z.string(),
  count: z.int(),
  /** The newest request with this error. */
  last: LoggedRequest,
});

export type RequestError = z.infer<typeof RequestError>;

export const ListRequestErrors = contract({
  summary: "List request log errors by code",
  tag: "Requests",
  right: "view_requests",
  query: z.object({ period: z.enum(["1h", "24h", "7d", "30d"]).default("24h") }),
  returns: z.object({ errors: z.array(RequestError) }),
  status: 200,
  errors: ["parameter_invalid"],
});

// Reads code by code along the index: one probe for the next code, one for its newest request, and a count of index
// entries.
const ERRORS = plannedStatement(
  "list-request-errors",
  `with recursive found as (
    (select error_code as code from api_requests where account_id = :accountId and error_code is not null
     order by error_code limit 1)
    union all
    select (select r.error_code from api_requests r
            where r.account_id = :accountId and r.error_code > f.code order by r.error_code limit 1)
    from found f where f.code is not null
  )
  select counted.count::int as count, ${REQUEST_COLUMNS}
  from found f
  cross join lateral (
    select * from api_requests r where r.account_id = :accountId and r.error_code = f.code and r.id >= :since
    order by r.id desc limit 1
  ) r
  cross join lateral (
    select count(*) as count from api_requests c
    where c.account_id = :accountId and c.error_code = f.code and c.id >= :since
  ) counted
  ${REQUEST_TOKEN}
  order by counted.count desc, r.error_code`,
);

/** Groups the API's recent errors by code, most frequent first, each with its fix. Errors: parameter_invalid. */
export async function listRequestErrors(
  ctx: Context,
  { query }: Pick<Input<typeof ListRequestErrors>, "query">,
) {
  const since = firstIdAt(ctx.now.getTime() - ERROR_PERIODS[query.period]);
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.run(ERRORS, { accountId: ctx.account.id, since }),
  );
  return { errors: rows.map(({ count, ...row }) => toRequestError(count, row)) };
}

function toRequestError(count: number, row: RequestRow): RequestError {
  const code = row.error_code ?? 0;
  const documented = documentedError(code);
  return {
    code,
    title: documented?.title ?? "Unknown error",
    means: documented?.means ?? "",
    fix: documented?.fix ?? "",
    doc_url: errorDocUrl(code),
    count,
    last: toLoggedRequest(row),
  };
}
