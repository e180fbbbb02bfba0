import Link from "next/link";
import { z } from "zod";
import { ListPage } from "@/components/list/list-page";
import { AddEndpoint } from "@/components/webhooks/add-endpoint";
import { EndpointList } from "@/components/webhooks/endpoint-list";
import { ReplayButton } from "@/components/webhooks/replays/replay-button";
import { FAILED_DELIVERIES } from "@/components/webhooks/replays/replay-fields";
import { WebhookTabs } from "@/components/webhooks/webhook-tabs";
import { listSubscribableGroups } from "@/lib/events/catalog/event-groups";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";
import { listWebhookSubscriptionViews } from "@/lib/webhooks/endpoints/list-webhook-subscription-views";

export const metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const { ctx, may } = await requireAccount("view_webhooks");
  const [found, { phone_numbers }] = await Promise.all([
    loadSearch(
      ctx,
      {},
      {
        api: "/api/webhook-subscriptions",
        query: z.object({}),
        filters: [],
        search: () => listWebhookSubscriptionViews(ctx),
      },
    ),
    listLines(ctx),
  ]);
  const choices = { groups: listSubscribableGroups(), lines: phone_numbers.map((line) => line.phone_number) };
  const mayManage = may("manage_webhooks");
  return (
    <ListPage
      title="Webhooks"
      description={
        <>
          Trunkline posts signed events to your endpoints as they happen, and retries failed deliveries.{" "}
          <Link href="/docs/guides/webhooks" className="underline underline-offset-4">
            How to receive webhooks
          </Link>
        </>
      }
      actions={
        mayManage && (
          <div className="flex flex-wrap gap-2">
            {found.page !== null && found.page.endpoints.length > 0 && (
              <ReplayButton
                label="Replay…"
                size="default"
                id={null}
                groups={choices.groups}
                lines={phone_numbers.map(({ id, label, phone_number }) => ({ id, label, phone_number }))}
                initial={FAILED_DELIVERIES}
                narrowed={false}
              />
            )}
            <AddEndpoint choices={choices} />
          </div>
        )
      }
      tabs={<WebhookTabs current="endpoints" />}
    >
      <EndpointList found={found} mayManage={mayManage} />
    </ListPage>
  );
}
