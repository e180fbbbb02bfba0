import { Users } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { PeopleView } from "@/components/people/people-view";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { ListPeople, listPeople } from "@/lib/identity/users/list-people";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "People" };

export default async function PeoplePage() {
  const { account, ctx, may } = await requireAccount("signed_in");
  if (!may("manage_people")) {
    return (
      <SettingsFrame current="people">
        <EmptyState
          icon={Users}
          title="Only admins can manage people"
          description="Ask an admin of the partner to invite people or to change roles."
        />
      </SettingsFrame>
    );
  }
  const initial = await listPeople(ctx, { query: ListPeople.query.parse({}) });
  return (
    <SettingsFrame current="people">
      <PeopleView key={account.partner.id} initial={initial} />
    </SettingsFrame>
  );
}
