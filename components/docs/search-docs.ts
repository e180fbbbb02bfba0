import type MiniSearch from "minisearch";
import type { SearchEntry } from "@/lib/docs/documents/search-entry";

/** A result of a search in the documentation, best first. */
export type DocsResult = SearchEntry & { id: string };

const RESULTS = 12;

let index: Promise<MiniSearch<SearchEntry>> | undefined;

/**
 * Searches the documentation in the browser. The index is downloaded and built at the first search. Words match by
 * prefix and with small typing errors. Throws when the index cannot be downloaded; the next search tries again.
 */
export async function searchDocs(text: string): Promise<DocsResult[]> {
  index ??= loadIndex().catch((error: unknown) => {
    index = undefined;
    throw error;
  });
  const search = await index;
  return search.search(text).slice(0, RESULTS) as unknown as DocsResult[];
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const [{ default: Search }, response] = await Promise.all([
    import("minisearch"),
    fetch("/docs/search.json"),
  ]);
  if (!response.ok) throw new Error(`the search index could not be loaded: HTTP ${response.status}`);
  const entries: SearchEntry[] = await response.json();
  const search = new Search<SearchEntry>({
    idField: "href",
    fields: ["title", "heading", "text"],
    storeFields: ["href", "title", "heading", "group", "text"],
    searchOptions: {
      boost: { title: 6, heading: 3 },
      // The beginning of a page is a better result than a section with the same words.
      boostDocument: (_id, _term, stored) => (stored?.heading === "" ? 1.5 : 1),
      prefix: true,
      fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
      combineWith: "AND",
    },
  });
  search.addAll(entries);
  return search;
}
