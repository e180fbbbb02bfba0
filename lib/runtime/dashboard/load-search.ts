import "server-only";
import type { z } from "zod";
import {
  type Filter,
  type LoadedSearch,
  readFilters,
  type SearchParams,
  toQuery,
} from "@/lib/client/filters";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors/errors";

interface Search<Query extends z.ZodType, Page> {
  /** The path of the list's API. */
  api: string;
  /** The query schema of the API's contract. */
  query: Query;
  filters: readonly Filter[];
  /** Reads the first page. */
  search: (query: z.output<Query>) => Promise<Page>;
}

/**
 * Loads the first page of a list for the query parameters of its dashboard page. A search that the contract or the
 * operation rejects is returned as a refusal, so the page can show the reason next to the filters.
 */
export async function loadSearch<Query extends z.ZodType, Page>(
  ctx: Context,
  asked: SearchParams,
  { api, query: contract, filters, search }: Search<Query, Page>,
): Promise<LoadedSearch<Page>> {
  const values = readFilters(filters, asked);
  const query = toQuery(filters, values, ctx.now.getTime());
  const id = `${ctx.account.id} ${JSON.stringify(values)}`;
  const loaded = { id, api, filters, values, query };

  const parsed = contract.safeParse(query);
  if (!parsed.success) {
    const { row, message } = new ApiError("parameter_invalid", parsed.error.issues[0]?.message);
    return { ...loaded, page: null, refusal: { code: row.code, message } };
  }
  try {
    return { ...loaded, page: await search(parsed.data), refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...loaded, page: null, refusal: { code: error.row.code, message: error.message } };
  }
}
