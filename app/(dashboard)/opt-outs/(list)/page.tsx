import { ListPage } from "@/components/list/list-page";
import { ImportOptOuts } from "@/components/opt-outs/import-opt-outs";
import { OptOutDialog } from "@/components/opt-outs/opt-out-dialog";
import { OptOutList } from "@/components/opt-outs/opt-out-list";
import { OptOutTabs } from "@/components/opt-outs/opt-out-tabs";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListOptOuts, listOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Opt-outs" };

const FILTERS: Filter[] = [
  {
    type: "search",
    name: "handle",
    label: "Search by a full phone number or email address",
    placeholder: "Number or email",
  },
  {
    type: "select",
    name: "state",
    label: "Status",
    all: "Currently opted out",
    options: [{ value: "all", label: "Current and past opt-outs" }],
  },
];

export default async function OptOutsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_opt_outs");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/opt-outs",
    query: ListOptOuts.query,
    filters: FILTERS,
    search: (query) => listOptOuts(ctx, { query }),
  });
  const mayDecide = may("decide_opt_outs");
  return (
    <ListPage
      title="Opt-outs"
      description="People who asked to receive no further messages, with the evidence and every send that overrode an opt-out."
      actions={
        mayDecide && (
          <>
            <ImportOptOuts />
            <OptOutDialog />
          </>
        )
      }
      tabs={<OptOutTabs current="opt-outs" />}
    >
      <OptOutList found={loaded} mayDecide={mayDecide} />
    </ListPage>
  );
}
