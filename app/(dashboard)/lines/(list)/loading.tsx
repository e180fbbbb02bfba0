import { LineList } from "@/components/lines/line-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Lines">
      <LineList />
    </ListPage>
  );
}
