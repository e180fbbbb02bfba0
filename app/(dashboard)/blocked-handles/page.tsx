import { BlockDialog } from "@/components/blocked-handles/block-dialog";
import { BlockList } from "@/components/blocked-handles/block-list";
import { ImportBlocks } from "@/components/blocked-handles/import-blocks";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import {
  ListBlockedHandleViews,
  listBlockedHandleViews,
} from "@/lib/recipients/blocks/list-blocked-handle-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Blocked numbers" };

const FILTERS: Filter[] = [
  {
    type: "search",
    name: "q",
    param: "search",
    label: "Search by part of a phone number or email address",
    placeholder: "Part of a number or email",
  },
];

export default async function BlockedHandlesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx, may } = await requireAccount("view_opt_outs");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/blocked-handles",
    query: ListBlockedHandleViews.query,
    filters: FILTERS,
    search: (query) => listBlockedHandleViews(ctx, { query }),
  });
  const mayManage = may("manage_blocks");
  return (
    <ListPage
      title="Blocked numbers"
      description="Numbers and email addresses that can't reach your lines. Their messages are dropped, and nothing is sent to them."
      actions={
        mayManage && (
          <>
            <ImportBlocks />
            <BlockDialog />
          </>
        )
      }
    >
      <BlockList found={loaded} mayManage={mayManage} />
    </ListPage>
  );
}
