import "server-only";
import { listSubscribableGroups } from "@/lib/events/catalog/event-groups";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { getWebhookEndpoint } from "@/lib/webhooks/endpoints/get-webhook-endpoint";

/** Loads the data that every page of a webhook endpoint shows, or shows the "not found" page. */
export async function readEndpointPage(subscriptionId: string) {
  const { ctx, may } = await requireAccount("view_webhooks");
  const [endpoint, { phone_numbers }] = await Promise.all([
    findOrNotFound(subscriptionId, () => getWebhookEndpoint(ctx, { params: { subscriptionId } })),
    listLines(ctx),
  ]);
  return {
    ctx,
    shown: {
      initial: endpoint,
      mayManage: may("manage_webhooks"),
      choices: {
        groups: listSubscribableGroups(),
        lines: phone_numbers.map((line) => line.phone_number),
      },
    },
    lines: phone_numbers.map(({ id, phone_number }) => ({ id, phone_number })),
  };
}
