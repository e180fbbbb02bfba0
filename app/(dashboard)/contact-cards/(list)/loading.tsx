import { ContactCardList } from "@/components/contact-cards/contact-card-list";
import { ListPage } from "@/components/list/list-page";

export default function Loading() {
  return (
    <ListPage title="Contact cards">
      <ContactCardList />
    </ListPage>
  );
}
