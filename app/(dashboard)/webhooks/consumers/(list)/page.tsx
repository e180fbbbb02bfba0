import Link from "next/link";
import { z } from "zod";
import { ListPage } from "@/components/list/list-page";
import { ConsumerList } from "@/components/webhooks/consumers/consumer-list";
import { WebhookTabs } from "@/components/webhooks/webhook-tabs";
import { baseUrl } from "@/lib/platform/env";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";
import { listConsumerViews } from "@/lib/webhooks/consumers/list-consumer-views";

export const metadata = { title: "Consumers" };

export default async function ConsumersPage() {
  const { ctx } = await requireAccount("view_webhooks");
  const found = await loadSearch(
    ctx,
    {},
    {
      api: "/api/webhook-consumers",
      query: z.object({}),
      filters: [],
      search: () => listConsumerViews(ctx),
    },
  );
  return (
    <ListPage
      title="Consumers"
      description={
        <>
          Programs without a public URL poll events from a consumer, which keeps their place. Waiting events
          are counted among the next 200 entries of the log.{" "}
          <Link href="/docs/guides/consumers" className="underline underline-offset-4">
            How to use consumers
          </Link>
        </>
      }
      tabs={<WebhookTabs current="consumers" />}
    >
      <ConsumerList found={found} baseUrl={baseUrl()} />
    </ListPage>
  );
}
