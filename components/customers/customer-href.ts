/** The page of a customer. A leading plus stays readable in the address. */
export function customerHref(handle: string): string {
  return `/customers/${encodeURIComponent(handle).replace(/^%2B/, "+").replace("%40", "@")}`;
}
