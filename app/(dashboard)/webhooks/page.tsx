import { EndpointsView } from "@/components/webhooks/endpoints-view";
import { listEventGroups } from "@/lib/events/event-groups";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { listWebhookEndpoints } from "@/lib/webhooks/list-webhook-endpoints";

export const metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const { account, ctx, may } = await requireAccount("view_webhooks");
  const [{ endpoints }, { phone_numbers }] = await Promise.all([listWebhookEndpoints(ctx), listLines(ctx)]);
  return (
    <EndpointsView
      key={account.id}
      initial={endpoints}
      mayManage={may("manage_webhooks")}
      choices={{ groups: listEventGroups(), lines: phone_numbers.map((line) => line.phone_number) }}
    />
  );
}
