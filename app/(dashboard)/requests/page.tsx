import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { readFilter, toRequestQuery } from "@/components/requests/request-filter";
import { RequestFilters } from "@/components/requests/request-filters";
import { RequestTabs } from "@/components/requests/request-tabs";
import { RequestsView } from "@/components/requests/requests-view";
import { PageBody } from "@/components/shell/page-body";
import { listTokens } from "@/lib/identity/tokens/list-tokens";
import { listLines } from "@/lib/lines/lines/list-lines";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { listRequestFacets } from "@/lib/request-log/list-request-facets";
import { ListRequests, listRequests } from "@/lib/request-log/list-requests";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Requests" };

type RequestsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function RequestsPage({ searchParams }: RequestsPageProps) {
  const { account, ctx, may } = await requireAccount("view_requests");
  const filter = readFilter(await searchParams);
  const query = toRequestQuery(filter, ctx.now.getTime());
  const [found, facets, { tokens }, { phone_numbers }] = await Promise.all([
    search(ctx, query),
    listRequestFacets(ctx),
    may("view_tokens") ? listTokens(ctx) : { tokens: [] },
    listLines(ctx),
  ]);

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Requests"
        description={`Every call of the API with a token of this account, kept for ${days(env().REQUEST_LOG_DAYS)} without its secrets.`}
      />
      <RequestTabs current="requests" />
      <RequestFilters
        filter={filter}
        facets={{ ...facets, tokens, lines: phone_numbers.map((line) => line.phone_number) }}
      />
      {found instanceof ApiError ? (
        <ErrorNote title="This search is not possible" code={found.row.code}>
          {found.message}
        </ErrorNote>
      ) : (
        <RequestsView key={`${account.id} ${JSON.stringify(filter)}`} initial={found} query={query} />
      )}
    </PageBody>
  );
}

// Whoever edits the address may ask for what cannot be: the page says so, and its filters stay.
async function search(ctx: Parameters<typeof listRequests>[0], asked: Record<string, string>) {
  const query = ListRequests.query.safeParse(asked);
  if (!query.success) return new ApiError("parameter_invalid", query.error.issues[0]?.message);
  return listRequests(ctx, { query: query.data }).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

function days(count: number): string {
  return count === 1 ? "a day" : `${count} days`;
}
