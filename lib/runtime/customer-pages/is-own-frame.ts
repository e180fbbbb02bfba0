import "server-only";

/**
 * Whether a page of this instance requests the page for a frame. Only the Phones page has such frames, for the checkout
 * and the wallet of sandbox accounts. Browsers don't let scripts set these headers.
 */
export function isOwnFrame({ headers }: Request): boolean {
  return headers.get("sec-fetch-dest") === "iframe" && headers.get("sec-fetch-site") === "same-origin";
}
