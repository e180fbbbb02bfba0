import { ListPage } from "@/components/list/list-page";
import { NearMisses } from "@/components/opt-outs/near-misses";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";

export default function Loading() {
  return (
    <ListPage title="Possible opt-outs" tabs={<OptOutTabs current="near-misses" />}>
      <NearMisses />
    </ListPage>
  );
}
