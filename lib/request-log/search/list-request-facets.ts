import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { listRoutes } from "@/lib/request-log/search/find-route";

const CODES = statement(
  "request-codes",
  `with recursive found as (
    (select error_code as code from api_requests where account_id = :accountId and error_code is not null
     order by error_code limit 1)
    union all
    select (select r.error_code from api_requests r
            where r.account_id = :accountId and r.error_code > f.code order by r.error_code limit 1)
    from found f where f.code is not null
  )
  select code from found where code is not null`,
);

/** The filter values of the log: the called endpoints and the returned error codes. */
export async function listRequestFacets(ctx: Context): Promise<{ routes: string[]; errorCodes: number[] }> {
  const [routes, codes] = await Promise.all([
    listRoutes(sql, ctx.account.id),
    sql.run(CODES, { accountId: ctx.account.id }),
  ]);
  return { routes, errorCodes: codes.map(({ code }) => code) };
}
