import { ContactCardsView } from "@/components/contact-cards/contact-cards-view";
import { listLineSettings } from "@/lib/lines/lines/list-line-settings";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Contact cards" };

export default async function ContactCardsPage() {
  const { account, ctx } = await requireAccount("view_lines");
  const { lines } = await listLineSettings(ctx, { query: {} });
  return <ContactCardsView key={account.id} initial={lines} />;
}
