/** How opt-outs are narrowed, as the address of the page has it. */
export interface OptOutFilter {
  /** `all`: also those that have ended. Absent = those that hold. */
  state?: "all";
  handle?: string;
}

type Query = Record<string, string | string[] | undefined>;

/** The filter an address holds; what is repeated counts once. */
export function readOptOutFilter(query: Query): OptOutFilter {
  const handle = [query.handle].flat()[0]?.trim().slice(0, 254);
  return {
    ...([query.state].flat()[0] === "all" && { state: "all" as const }),
    ...(handle && { handle }),
  };
}
