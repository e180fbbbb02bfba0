import { ListPage } from "@/components/list/list-page";
import { RequestList } from "@/components/requests/request-list";
import { RequestTabs } from "@/components/requests/request-tabs";
import type { Filter, FilterOption, SearchParams } from "@/lib/client/filters";
import { lineChoices } from "@/lib/client/line-text";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { listLines } from "@/lib/lines/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { listRequestFacets } from "@/lib/request-log/search/list-request-facets";
import { ListRequests, listRequests } from "@/lib/request-log/search/list-requests";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Requests" };

const METHODS = sameLabels(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const STATUSES = [
  { value: "2xx", label: "2xx succeeded" },
  { value: "4xx", label: "4xx rejected" },
  { value: "5xx", label: "5xx failed" },
];

function sameLabels(values: readonly (string | number)[]): FilterOption[] {
  return values.map((value) => ({ value: String(value), label: String(value) }));
}

/** The filters of the request log, with the account's endpoints, error codes, tokens and lines as options. */
async function filtersOf(ctx: Context, mayViewTokens: boolean): Promise<Filter[]> {
  const [{ routes, errorCodes }, { tokens }, { phone_numbers: lines }] = await Promise.all([
    listRequestFacets(ctx),
    mayViewTokens ? listTokens(ctx) : { tokens: [] },
    listLines(ctx),
  ]);
  const select = (
    name: string,
    label: string,
    all: string,
    options: FilterOption[],
    param = name,
  ): Filter => ({
    type: "select",
    name,
    param,
    label,
    all,
    options,
  });
  return [
    {
      type: "search",
      name: "q",
      pathName: "path",
      label: "Search by trace ID, chat ID, message ID or path",
      placeholder: "Trace, chat or message id, or a path",
    },
    select("method", "Method", "All methods", METHODS),
    select("status", "Status", "All statuses", STATUSES),
    select("path", "Endpoint", "All endpoints", sameLabels(routes)),
    select("code", "Error code", "All codes", sameLabels(errorCodes), "error_code"),
    select(
      "token",
      "Token",
      "All tokens",
      tokens.map(({ id, name }) => ({ value: id, label: name })),
      "token_id",
    ),
    select("line", "Line", "All lines", lineChoices(lines, "phone_number")),
    { type: "time", label: "Time" },
  ];
}

export default async function RequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_requests");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/requests",
    query: ListRequests.query,
    filters: await filtersOf(ctx, may("view_tokens")),
    search: (query) => listRequests(ctx, { query }),
  });
  return (
    <ListPage
      title="Requests"
      description={`API requests made with this account's tokens. Requests are kept for at least ${days(env().REQUEST_LOG_DAYS)}, with secrets removed.`}
      tabs={<RequestTabs current="requests" />}
    >
      <RequestList found={loaded} />
    </ListPage>
  );
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
