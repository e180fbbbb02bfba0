import { ListPage } from "@/components/list/list-page";
import { OptOutList } from "@/components/opt-outs/opt-out-list";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";

export default function Loading() {
  return (
    <ListPage title="Opt-outs" tabs={<OptOutTabs current="opt-outs" />}>
      <OptOutList />
    </ListPage>
  );
}
