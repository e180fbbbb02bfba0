import { ListPage } from "@/components/list/list-page";
import { EndpointList } from "@/components/webhooks/endpoint-list";

export default function Loading() {
  return (
    <ListPage title="Webhooks">
      <EndpointList />
    </ListPage>
  );
}
