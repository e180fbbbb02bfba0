import { BlockDialog } from "@/components/blocked-handles/block-dialog";
import { BlockSearch } from "@/components/blocked-handles/block-search";
import { BlocksView } from "@/components/blocked-handles/blocks-view";
import { PageHeader } from "@/components/data/page-header";
import { PageBody } from "@/components/shell/page-body";
import { listBlocks } from "@/lib/recipients/blocks/list-blocks";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Blocked handles" };

type BlockedHandlesPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function BlockedHandlesPage({ searchParams }: BlockedHandlesPageProps) {
  const { account, ctx, may } = await requireAccount("view_opt_outs");
  const search = ([(await searchParams).q].flat()[0] ?? "").trim().slice(0, 254);
  const initial = await listBlocks(ctx, { query: { search, limit: 50 } });
  const mayManage = may("manage_blocks");

  return (
    <PageBody>
      <PageHeader
        title="Blocked handles"
        description="Who may not reach your lines. What they write is dropped; nothing is sent to them."
        actions={mayManage && <BlockDialog />}
      />
      <BlockSearch search={search} />
      <BlocksView key={`${account.id} ${search}`} initial={initial} search={search} mayManage={mayManage} />
    </PageBody>
  );
}
