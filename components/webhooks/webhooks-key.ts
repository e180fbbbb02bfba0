/** The key of everything the browser has read of webhook endpoints: the path of their list. */
export const webhooksKey = ["/api/webhook-subscriptions"];

export function webhookKey(id: string): string[] {
  return [...webhooksKey, id];
}

/** The key of an endpoint's deliveries, with every filter: the path of their list. */
export function deliveriesKey(id: string): string[] {
  return [`/api/webhooks/${id}/deliveries`];
}

/** Under which the replays to an endpoint are kept. */
export function replaysKey(id: string): string[] {
  return [...webhookKey(id), "replays"];
}
