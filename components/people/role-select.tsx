"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { toast } from "@/components/data/toast";
import { peopleKey } from "@/components/people/people-key";
import { ROLES } from "@/components/people/role-names";
import { Badge } from "@/components/ui/badge";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Person } from "@/lib/identity/users/person";

/** The role of a person. A change signs the person out. A role from a group is changed at the identity provider. */
export function RoleSelect({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const change = useMutation<unknown, ApiFailure, string>({
    mutationFn: (role) => apiFetch(`/api/people/${person.id}`, { method: "PATCH", body: { role } }),
    onSuccess: () => toast.success(`The role of ${person.name} was changed. They must sign in again.`),
    onError: (failure) => toast.error("The role was not changed", { description: failure.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleKey }),
  });
  if (person.from_group) return <Badge variant="neutral">{labelOf(person)} (from group)</Badge>;
  return (
    <LazySelect
      label={`Role of ${person.name}`}
      className="w-36"
      value={change.isPending ? change.variables : person.role}
      options={ROLES}
      disabled={change.isPending}
      onChange={(role) => change.mutate(role)}
    />
  );
}

function labelOf({ role }: Person): string {
  return ROLES.find(({ value }) => value === role)?.label ?? role;
}
