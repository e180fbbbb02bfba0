import "server-only";
import { cache } from "react";
import { listSubscribableGroups } from "@/lib/events/catalog/event-groups";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";
import { getWebhookSubscriptionView } from "@/lib/webhooks/endpoints/get-webhook-subscription-view";

/** Loads the data that every page of a webhook endpoint shows, once per request, or shows the "not found" page. */
export const readEndpointPage = cache(async (subscriptionId: string) => {
  const { ctx, may } = await requireAccount("view_webhooks");
  const [endpoint, { phone_numbers }] = await Promise.all([
    findOrNotFound(subscriptionId, () => getWebhookSubscriptionView(ctx, { params: { subscriptionId } })),
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
    lines: phone_numbers.map(({ id, label, phone_number }) => ({ id, label, phone_number })),
  };
});

type EndpointPageProps = { params: Promise<{ subscriptionId: string }> };

/** Returns the function that names a page of an endpoint, for the browser's title. */
export function endpointTitle(page: string) {
  return async ({ params }: EndpointPageProps) => {
    const { initial } = (await readEndpointPage((await params).subscriptionId)).shown;
    return { title: `${new URL(initial.target_url).host} · ${page}` };
  };
}
