import type MiniSearch from "minisearch";
import { ERRORS, EVENTS, REFERENCE, type SearchEntry } from "@/lib/docs/documents/search-entry";

/** A result of a search in the documentation, best first. */
export type DocsResult = SearchEntry & { id: string };

const RESULTS = 12;

/** Guides come first: they lead to the operations, events and errors that they are about. */
const WEIGHTS = new Map([
  [REFERENCE, 0.6],
  [EVENTS, 0.4],
  [ERRORS, 0.3],
]);

/** Words of a question that say nothing about its subject. */
const FILLERS = new Set(
  "a an and are at can do does for from how i in is it my not of on or the to what when where why with you".split(
    " ",
  ),
);

let index: Promise<MiniSearch<SearchEntry>> | undefined;

/**
 * Searches the documentation in the browser. The index is downloaded and built at the first search. Words match by
 * prefix and with small typing errors, and guides come before what they explain. Throws when the index cannot be downloaded; the next search tries again.
 */
export async function searchDocs(text: string): Promise<DocsResult[]> {
  index ??= loadIndex().catch((error: unknown) => {
    index = undefined;
    throw error;
  });
  const search = await index;
  const words = text.split(/\s+/).filter((word) => !FILLERS.has(word.toLowerCase()));
  const asked = words.length === 0 ? text : words.join(" ");
  const all = search.search(asked);
  // A question with a word that no page has is answered by its other words.
  const found = (all.length > 0
    ? all
    : search.search(asked, { combineWith: "OR" })) as unknown as DocsResult[];
  const isNamed = (entry: DocsResult) => namesOf(entry).includes(text.trim().toLowerCase());
  return [...found.filter(isNamed), ...found.filter((entry) => !isNamed(entry))].slice(0, RESULTS);
}

/** What identifies an entry when it is typed in full: an event type, a method and path, the title of a page. */
function namesOf({ title, heading, href }: DocsResult): string[] {
  const code = /^\/docs\/error\/codes\/\dxxx\/(\d{4})$/.exec(href)?.[1] ?? "";
  return [heading === "" ? title : heading, code].map((name) => name.toLowerCase());
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
    fields: ["title", "heading", "keywords", "text"],
    storeFields: ["href", "title", "heading", "group", "text"],
    searchOptions: {
      boost: { title: 6, keywords: 6, heading: 3 },
      // The beginning of a page is a better result than a section with the same words.
      boostDocument: (_id, _term, stored) =>
        (stored?.heading === "" ? 1.5 : 1) * (WEIGHTS.get(String(stored?.group)) ?? 1),
      prefix: true,
      fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
      combineWith: "AND",
    },
  });
  search.addAll(entries);
  return search;
}
