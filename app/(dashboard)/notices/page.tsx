import { ListPage } from "@/components/list/list-page";
import { NoticeList } from "@/components/notices/notice-list";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Notices" };

const FILTERS: readonly Filter[] = [
  {
    type: "select",
    name: "status",
    label: "Status",
    all: "All notices",
    options: [
      { value: "open", label: "Open" },
      { value: "past", label: "Dismissed or ended" },
    ],
  },
];

type NoticesPageProps = { searchParams: Promise<SearchParams> };

export default async function NoticesPage({ searchParams }: NoticesPageProps) {
  const { ctx } = await requireAccount("signed_in");
  const found = await loadSearch(ctx, await searchParams, {
    api: "/api/notices",
    query: ListNotices.query,
    filters: FILTERS,
    search: (query) => listNotices(ctx, { query }),
  });
  return (
    <ListPage
      title="Notices"
      description="Problems and changes of this account. A notice ends when its cause is gone. If you dismiss a notice, other users still see it."
    >
      <NoticeList found={found} />
    </ListPage>
  );
}
