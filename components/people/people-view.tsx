"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import { Timestamp } from "@/components/data/timestamp";
import { InvitePerson } from "@/components/people/invite-person";
import { peopleKey } from "@/components/people/people-key";
import { PersonActions } from "@/components/people/person-actions";
import { RoleSelect } from "@/components/people/role-select";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Person } from "@/lib/identity/users/person";

type PeoplePage = { people: Person[]; next_cursor: string | null };

const columns: DataColumn<Person>[] = [
  {
    key: "person",
    header: "Person",
    cell: ({ name, email }) => (
      <span className="flex flex-col max-sm:items-end">
        <span className="font-medium">{name}</span>
        <span className="wrap-anywhere text-muted-foreground text-xs">{email}</span>
      </span>
    ),
  },
  { key: "role", header: "Role", cell: (person) => <RoleSelect person={person} /> },
  {
    key: "last-sign-in",
    header: "Last sign-in",
    cell: ({ last_sign_in_at, is_invited }) => {
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

/** The people who may sign in to the partner's dashboard: invite, change role, reset password, remove. */
export function PeopleView({ initial }: { initial: PeoplePage }) {
  const found = useInfiniteQuery<PeoplePage, ApiFailure, Person[], string[], string | null>({
    queryKey: peopleKey,
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/people${queryString({ cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    initialData: { pages: [initial], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ people }) => people),
  });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">People can sign in to every account of this partner.</p>
        <InvitePerson />
      </div>
      <FailureNote
        title="People could not be loaded"
        failure={found.error}
        onRetry={() => void found.refetch()}
      />
      <DataTable
        label="People"
        columns={columns}
        rows={found.data ?? []}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Users} title="No people yet" description="Invite a person to give them access." />
        }
      />
      <LoadMore
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onLoadMore={() => void found.fetchNextPage()}
        label="more people"
      />
    </>
  );
}
