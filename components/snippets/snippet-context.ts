/** The values in the dashboard's snippets, so that they run without changes. */
export type SnippetContext = { baseUrl: string; line: string | null; phone: string | null };

const LINE = "+15550100001";
const PHONE = "+15550100101";

/** The values, with placeholder numbers if the account has none yet. */
export function withSampleNumbers({ baseUrl, line, phone }: SnippetContext): {
  baseUrl: string;
  line: string;
  phone: string;
} {
  return { baseUrl, line: line ?? LINE, phone: phone ?? PHONE };
}
