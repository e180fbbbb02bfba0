/** The request header that tells pages their own path and query. `guardPages` sets it, whatever a client sent. */
export const PAGE_PATH_HEADER = "x-page-path";

/** The path and query of a page's URL, without the parameter that Next adds when it loads a page in the browser. */
export function pagePath(url: string): string {
  const [path = "/", query = ""] = url.split("?", 2);
  const kept = query.split("&").filter((part) => part !== "" && !/^_rsc(=|$)/.test(part));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

/** The sign-in page that leads back to `path`. */
export function signInPath(path: string | null): string {
  return path === null || path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
}
