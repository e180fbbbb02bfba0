import { AttachmentList } from "@/components/attachments/attachment-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Attachments">
      <AttachmentList />
    </ListPage>
  );
}
