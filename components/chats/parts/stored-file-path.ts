const FILES = "/attachments/";

/**
 * The path of a file stored by Trunkline. The content security policy allows only the page's own host, which serves
 * files too.
 */
export function storedFilePath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * The path of an image stored by Trunkline; null for an image on another host, which the content security policy
 * blocks.
 */
export function storedImagePath(url: string | null | undefined): string | null {
  const parsed = url == null ? null : URL.parse(url);
  return parsed?.pathname.startsWith(FILES) ? parsed.pathname + parsed.search : null;
}
