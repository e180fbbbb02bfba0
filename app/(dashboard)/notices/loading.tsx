import { ListPage } from "@/components/list/list-page";
import { NoticeList } from "@/components/notices/notice-list";

export default function Loading() {
  return (
    <ListPage title="Notices">
      <NoticeList />
    </ListPage>
  );
}
