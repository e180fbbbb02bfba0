/** The query key of all cached data about webhook endpoints: the path of the list. */
export const webhooksKey = ["/api/webhook-subscriptions"];

export function webhookKey(id: string): string[] {
  return [...webhooksKey, id];
}

/** The query key of an endpoint's deliveries for every filter: the path of the list. */
export function deliveriesKey(id: string): string[] {
  return [`/api/webhooks/${id}/deliveries`];
}

/** The query key of all lists of replays: the path of the list. */
export const replaysKey = ["/api/webhooks/replays"];
