import { BlockList } from "@/components/blocked-handles/block-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Blocked numbers">
      <BlockList />
    </ListPage>
  );
}
