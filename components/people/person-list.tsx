"use client";

import { Users } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { InvitePersonButton } from "@/components/people/invite-person-button";
import { PersonActions } from "@/components/people/person-actions";
import { RoleSelect } from "@/components/people/role-select";
import { Badge } from "@/components/ui/badge";
import type { LoadedSearch } from "@/lib/client/filters";
import type { Person } from "@/lib/identity/users/person";
import type { ListTotal } from "@/lib/platform/lists/total-of";

const columns: DataColumn<Person>[] = [
  {
    key: "person",
    header: "Person",
    cell: ({ name, email }) => (
      <span className="flex flex-col">
        <span className="font-medium">{name}</span>
        <span className="wrap-anywhere text-muted-foreground text-xs">{email}</span>
      </span>
    ),
  },
  {
    key: "passkey",
    header: "Passkey",
    cell: ({ has_passkey }) => (has_passkey ? <Badge variant="success">Added</Badge> : <None />),
  },
  { key: "role", header: "Role", cell: (person) => <RoleSelect person={person} /> },
  {
    key: "last-sign-in",
    header: "Last sign-in",
    cell: ({ last_sign_in_at, is_invited, invitation }) => {
      if (invitation !== null) return <InvitationState invitation={invitation} />;
      if (last_sign_in_at !== null) return <Timestamp value={last_sign_in_at} />;
      return <span className="text-muted-foreground">{is_invited ? "Invited" : "Never"}</span>;
    },
  },
  {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    className: "sm:text-right",
    cell: (person) => <PersonActions person={person} />,
  },
];

function InvitationState({ invitation }: { invitation: NonNullable<Person["invitation"]> }) {
  if (invitation.mail_failed) return <Badge variant="destructive">Email not delivered</Badge>;
  if (invitation.is_expired) return <Badge variant="warning">Invitation expired</Badge>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Badge variant="neutral">Invited</Badge>
      <span className="text-muted-foreground text-xs">
        expires <Timestamp value={invitation.expires_at} />
      </span>
    </span>
  );
}

type PersonListProps = {
  found?: LoadedSearch<{ people: Person[]; next_cursor: string | null; total: ListTotal }>;
};

/** People who can sign in to the partner's dashboard. */
export function PersonList({ found }: PersonListProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">People can sign in to every account of this partner.</p>
        <InvitePersonButton isLoaded={found !== undefined} />
      </div>
      <ListScreen
        found={found}
        label="People"
        noun={{ one: "person", many: "people" }}
        further="more people"
        rowsOf={(page) => page.people}
        columns={columns}
        rowKey={({ id }) => id}
        live={{}}
        empty={{
          icon: Users,
          title: "No people yet",
          description: "People who can sign in appear here. Invite a person to give them access.",
        }}
      />
    </>
  );
}
