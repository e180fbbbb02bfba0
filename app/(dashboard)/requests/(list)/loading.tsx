import { ListPage } from "@/components/list/list-page";
import { RequestList } from "@/components/requests/request-list";
import { RequestTabs } from "@/components/requests/request-tabs";

export default function Loading() {
  return (
    <ListPage title="Requests" tabs={<RequestTabs current="requests" />}>
      <RequestList />
    </ListPage>
  );
}
