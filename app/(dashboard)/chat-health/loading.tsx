import { ChatHealthList } from "@/components/health/chat-health-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Chat health">
      <ChatHealthList />
    </ListPage>
  );
}
