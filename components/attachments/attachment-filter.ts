/** How files are narrowed, as the address of the page has it and GET /api/attachments takes it. Absent = not by this. */
export interface AttachmentFilter {
  /** The id of a file or of a message that shows it, or part of a file's name. */
  q?: string;
  family?: string;
  status?: string;
  direction?: string;
  tier?: string;
  /** A line's number. */
  line?: string;
}

const NAMES = [
  "q",
  "family",
  "status",
  "direction",
  "tier",
  "line",
] as const satisfies (keyof AttachmentFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readAttachmentFilter(query: Record<string, string | string[] | undefined>): AttachmentFilter {
  const filter: AttachmentFilter = {};
  for (const name of NAMES) {
    const value = [query[name]].flat()[0]?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}
