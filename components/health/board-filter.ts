/** How the health board is narrowed, as the address of the page has it. Absent = not by this. */
export interface BoardFilter {
  status?: string;
  /** The id of a line. */
  line?: string;
  /** Part of a recipient's handle. */
  q?: string;
}

const NAMES = ["status", "line", "q"] as const satisfies (keyof BoardFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readBoardFilter(query: Record<string, string | string[] | undefined>): BoardFilter {
  const filter: BoardFilter = {};
  for (const name of NAMES) {
    const value = [query[name]].flat()[0];
    if (value !== undefined && value !== "") filter[name] = value;
  }
  return filter;
}

/** The filter as GET /api/chat-health takes it. */
export function toBoardQuery({ status, line, q }: BoardFilter): Record<string, string | undefined> {
  return { status, line_id: line, search: q };
}
