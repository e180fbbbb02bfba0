"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { peopleKey } from "@/components/people/people-key";
import { ROLES } from "@/components/people/role-names";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Person } from "@/lib/identity/users/person";

/** The role of a person. A change signs the person out. */
export function RoleSelect({ person }: { person: Person }) {
  const queryClient = useQueryClient();
  const change = useMutation<unknown, ApiFailure, string>({
    mutationFn: (role) => apiFetch(`/api/people/${person.id}`, { method: "PATCH", body: { role } }),
    onSuccess: () => toast.success(`The role of ${person.name} was changed. They must sign in again.`),
    onError: (failure) => toast.error("The role was not changed", { description: failure.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleKey }),
  });
  return (
    <Select
      value={change.isPending ? change.variables : person.role}
      disabled={change.isPending}
      onValueChange={(role) => change.mutate(role)}
    >
      <SelectTrigger aria-label={`Role of ${person.name}`} className="w-36">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {ROLES.map(({ value, label }) => (
          <SelectItem key={value} value={value}>
            {label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
