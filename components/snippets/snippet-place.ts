/** What the snippets of the dashboard are filled with: a reader can run them as they are. */
export type SnippetPlace = { baseUrl: string; line: string | null; phone: string | null };

const LINE = "+15550100001";
const PHONE = "+15550100101";

/** The place, with numbers to be replaced where the account has none of its own yet. */
export function filled({ baseUrl, line, phone }: SnippetPlace): {
  baseUrl: string;
  line: string;
  phone: string;
} {
  return { baseUrl, line: line ?? LINE, phone: phone ?? PHONE };
}
