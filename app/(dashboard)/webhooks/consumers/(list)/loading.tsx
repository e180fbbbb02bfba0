import { ListPage } from "@/components/list/list-page";
import { ConsumerList } from "@/components/webhooks/consumers/consumer-list";
import { WebhookTabs } from "@/components/webhooks/webhook-tabs";

export default function Loading() {
  return (
    <ListPage title="Consumers" tabs={<WebhookTabs current="consumers" />}>
      <ConsumerList />
    </ListPage>
  );
}
