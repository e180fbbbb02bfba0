const FILES = "/attachments/";

/** The path of one of our files. The page may load from its own host alone, which answers the files' paths too. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The path of a picture if it is one of our files; null for a picture elsewhere, which the page may not load. */
export function ownPicture(url: string | null | undefined): string | null {
  const parsed = url == null ? null : URL.parse(url);
  return parsed?.pathname.startsWith(FILES) ? parsed.pathname + parsed.search : null;
}
