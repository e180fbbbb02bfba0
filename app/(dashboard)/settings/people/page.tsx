import { Users } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { PersonList } from "@/components/people/person-list";
import { RoleTable } from "@/components/people/role-table";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { ListPeople, listPeople } from "@/lib/identity/people/list-people";
import { describeRoles } from "@/lib/identity/users/describe-roles";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "People" };

export default async function PeoplePage() {
  const { ctx, may } = await requireAccount("signed_in");
  if (!may("manage_people")) {
    return (
      <SettingsFrame current="people">
        <EmptyState
          icon={Users}
          title="Only admins can manage people"
          description="Ask an admin of the partner to invite people or change roles."
        />
      </SettingsFrame>
    );
  }
  const loaded = await loadSearch(
    ctx,
    {},
    {
      api: "/api/people",
      query: ListPeople.query,
      filters: [],
      search: (query) => listPeople(ctx, { query }),
    },
  );
  return (
    <SettingsFrame current="people">
      <PersonList found={loaded} />
      <RoleTable rights={describeRoles()} />
    </SettingsFrame>
  );
}
