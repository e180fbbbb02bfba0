import { ContactCardList } from "@/components/contact-cards/contact-card-list";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListLineViews, listLineViews } from "@/lib/lines/overview/list-line-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Contact cards" };

const FILTERS: Filter[] = [{ type: "text", name: "q", label: "Part of the number", placeholder: "Number" }];

export default async function ContactCardsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { ctx } = await requireAccount("view_lines");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/lines",
    query: ListLineViews.query,
    filters: FILTERS,
    search: (query) => listLineViews(ctx, { query }),
  });
  return (
    <ListPage
      title="Contact cards"
      description="The name and photo of each line. Changes apply to the line immediately. Share a card in a chat to show it on the recipient's phone."
    >
      <ContactCardList found={loaded} />
    </ListPage>
  );
}
