import { ScheduledList } from "@/components/chats/scheduled/scheduled-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Scheduled messages">
      <ScheduledList />
    </ListPage>
  );
}
