import { ContactCardsView } from "@/components/contact-cards/contact-cards-view";
import { requireAccount } from "@/lib/dashboard/current-session";
import { listLineSettings } from "@/lib/lines/lines/list-line-settings";

export const metadata = { title: "Contact cards" };

export default async function ContactCardsPage() {
  const { account, ctx } = await requireAccount("view_lines");
  const { lines } = await listLineSettings(ctx);
  return <ContactCardsView key={account.id} initial={lines} />;
}
