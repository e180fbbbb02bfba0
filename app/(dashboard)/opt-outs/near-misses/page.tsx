import { ListPage } from "@/components/list/list-page";
import { NearMisses } from "@/components/opt-outs/near-misses";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";
import { ListHints, listHints } from "@/lib/recipients/opt-outs/list-hints";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Possible opt-outs" };

export default async function NearMissesPage() {
  const { ctx, may } = await requireAccount("view_opt_outs");
  const loaded = await loadSearch(
    ctx,
    {},
    {
      api: "/api/opt-outs/hints",
      query: ListHints.query,
      filters: [],
      search: (query) => listHints(ctx, { query }),
    },
  );
  return (
    <ListPage
      title="Possible opt-outs"
      description="Messages that may be opt-out requests, such as “stop please”. Only exact keywords opt people out automatically. Decide on the others here."
      tabs={<OptOutTabs current="near-misses" />}
    >
      <NearMisses found={loaded} mayDecide={may("decide_opt_outs")} />
    </ListPage>
  );
}
