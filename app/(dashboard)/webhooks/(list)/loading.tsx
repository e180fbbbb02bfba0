import { ListPage } from "@/components/list/list-page";
import { EndpointList } from "@/components/webhooks/endpoint-list";
import { WebhookTabs } from "@/components/webhooks/webhook-tabs";

export default function Loading() {
  return (
    <ListPage title="Webhooks" tabs={<WebhookTabs current="endpoints" />}>
      <EndpointList />
    </ListPage>
  );
}
