import { ListPage } from "@/components/list/list-page";
import { TokenList } from "@/components/tokens/token-list";

export default function Loading() {
  return (
    <ListPage title="API tokens">
      <TokenList />
    </ListPage>
  );
}
