/** Under which the browser keeps the account's webhook endpoints. */
export const webhooksKey = ["webhooks"];

export function webhookKey(id: string): string[] {
  return [...webhooksKey, id];
}

/** Under which the deliveries of an endpoint are kept, whatever their filter. */
export function deliveriesKey(id: string): string[] {
  return [...webhookKey(id), "deliveries"];
}

/** Under which the replays to an endpoint are kept. */
export function replaysKey(id: string): string[] {
  return [...webhookKey(id), "replays"];
}
