/** The query key of all cached lists of consumers: the path of the list. */
export const consumersKey = ["/api/webhook-consumers"];

/** The path of a consumer's API, which is also the key of its cached data. */
export function consumerPath(name: string): string {
  return `/api/webhooks/consumers/${name}`;
}
