import { PageHeader } from "@/components/data/page-header";
import { OptOutDialog } from "@/components/opt-outs/opt-out-dialog";
import { readOptOutFilter } from "@/components/opt-outs/opt-out-filter";
import { OptOutFilters } from "@/components/opt-outs/opt-out-filters";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";
import { OptOutsView } from "@/components/opt-outs/opt-outs-view";
import { PageBody } from "@/components/shell/page-body";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Opt-outs" };

type OptOutsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function OptOutsPage({ searchParams }: OptOutsPageProps) {
  const { account, ctx, may } = await requireAccount("view_opt_outs");
  const filter = readOptOutFilter(await searchParams);
  const initial = await listOptOuts(ctx, { query: ListOptOuts.query.parse(filter) });
  const mayDecide = may("decide_opt_outs");

  return (
    <PageBody>
      <PageHeader
        title="Opt-outs"
        description="Who asked not to be messaged, with the message that says so, and every send that was accepted nevertheless."
        actions={mayDecide && <OptOutDialog />}
      />
      <OptOutTabs current="opt-outs" />
      <OptOutFilters filter={filter} />
      <OptOutsView
        key={`${account.id} ${JSON.stringify(filter)}`}
        initial={initial}
        filter={filter}
        mayDecide={mayDecide}
      />
    </PageBody>
  );
}
