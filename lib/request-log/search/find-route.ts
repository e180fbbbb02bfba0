import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** The route that a path in a search matches. */
export interface SearchedRoute {
  /** The endpoint's template; null = no endpoint has this path. */
  route: string | null;
  /** The path to match exactly within that endpoint; null = all of its requests. */
  path: string | null;
}

// One index probe per existing route, however many requests it has had.
const ROUTES = plannedStatement(
  "list-routes",
  `with recursive found as (
    (select route from api_requests where account_id = :accountId and route is not null order by route limit 1)
    union all
    select (select r.route from api_requests r where r.account_id = :accountId and r.route > f.route order by r.route limit 1)
    from found f where f.route is not null
  )
  select route from found where route is not null limit 500`,
);

/** The templates of all endpoints in the account's request log. */
export async function listRoutes(on: Sql, accountId: string): Promise<string[]> {
  const rows = await on.run(ROUTES, { accountId });
  return rows.map((row) => row.route);
}

/** Recognizes a template, or a requested path with or without its query and alias prefix. */
export function findRoute(routes: readonly string[], wanted: string): SearchedRoute {
  const path = (wanted.split(/[?#]/, 1)[0] ?? "").replace(/^\/api\/partner(?=\/v3)/, "");
  if (routes.includes(path)) return { route: path, path: null };
  const route = routes.find((candidate) => matchesPath(candidate, path)) ?? null;
  return { route, path };
}

function matchesPath(route: string, path: string): boolean {
  const wanted = path.split("/");
  const segments = route.split("/");
  return (
    segments.length === wanted.length &&
    segments.every((segment, index) =>
      /^\{\w+\}$/.test(segment) ? wanted[index] !== "" : segment === wanted[index],
    )
  );
}
