import { PageHeader } from "@/components/data/page-header";
import { NearMisses } from "@/components/opt-outs/near-misses";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";
import { PageBody } from "@/components/shell/page-body";
import { listHints } from "@/lib/recipients/opt-outs/list-hints";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Near misses" };

export default async function NearMissesPage() {
  const { account, ctx, may } = await requireAccount("view_opt_outs");
  const initial = await listHints(ctx, { query: { limit: 50 } });

  return (
    <PageBody>
      <PageHeader
        title="Near misses"
        description="Messages that may be opt-out requests, such as “stop please”. Only exact keywords opt people out automatically. Decide on the others here."
      />
      <OptOutTabs current="near-misses" />
      <NearMisses key={account.id} initial={initial} mayDecide={may("decide_opt_outs")} />
    </PageBody>
  );
}
