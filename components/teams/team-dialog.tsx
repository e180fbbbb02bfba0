"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const MAX_NAME = 60;
const MAX_MEMBERS = 200;

type Person = { id: string; name: string; can_answer?: boolean };

export type TeamDialogProps = { team: { id: string; name: string } | null; onDone: () => void };

/** Creates a team, or changes the name and the members of `team`. */
export function TeamDialog({ team, onDone, trigger }: TeamDialogProps & LoadedPopup) {
  const [name, setName] = useState(team?.name ?? "");
  /** null = as stored. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const { people, stored, error, refetch } = usePeople(team?.id ?? null);
  const members = chosen ?? stored;
  const queryClient = useQueryClient();
  const save = useMutation<unknown, ApiFailure>({
    mutationFn: () => {
      const body = { name, members };
      if (team === null) return apiFetch("/api/teams", { method: "POST", body });
      return apiFetch(`/api/teams/${team.id}`, { method: "PUT", body });
    },
    onSuccess: () => {
      onOpenChange(false);
      void queryClient.invalidateQueries({ queryKey: ["conversations"] });
      onDone();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setName(team?.name ?? "");
    setChosen(null);
    refetch();
    save.reset();
  }, true);

  function toggle(id: string, isMember: boolean): void {
    const others = (members ?? []).filter((member) => member !== id);
    setChosen(isMember ? [...others, id] : others);
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={team === null ? "Create a team" : "Edit the team"}
      description="Members are people of the partner whose role lets them answer chats."
      submit="Save"
      isReady={name.trim() !== "" && members !== null}
      work={save}
      failed="The team was not saved"
    >
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input maxLength={MAX_NAME} value={name} onChange={({ target }) => setName(target.value)} />
        </FieldControl>
      </Field>
      <FailureNote title="People could not be loaded" failure={error} onRetry={refetch} />
      <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto p-0.5">
        <legend className="mb-2 font-medium text-sm">Members</legend>
        {members === null && error === null && <Skeleton className="h-16 w-full" />}
        {members !== null &&
          people.map((person) => (
            <label
              key={person.id}
              htmlFor={`member-${person.id}`}
              className="flex items-center gap-2 text-sm"
            >
              <Checkbox
                id={`member-${person.id}`}
                checked={members.includes(person.id)}
                disabled={!members.includes(person.id) && members.length >= MAX_MEMBERS}
                onCheckedChange={(checked) => toggle(person.id, checked === true)}
              />
              <bdi className="wrap-anywhere">{person.name}</bdi>
            </label>
          ))}
      </fieldset>
    </FormDialog>
  );
}

/** The people who can be in a team, and the ids of those who are; `stored` is null until both are known. */
function usePeople(teamId: string | null) {
  const all = useQuery<{ members: Person[] }, ApiFailure>({
    queryKey: ["team-members"],
    queryFn: ({ signal }) => apiFetch("/api/team-members", { signal }),
  });
  const team = useQuery<{ members: Person[] }, ApiFailure>({
    queryKey: ["teams", teamId],
    queryFn: ({ signal }) => apiFetch(`/api/teams/${teamId}`, { signal }),
    enabled: teamId !== null,
    // Another admin may have changed it since.
    staleTime: 0,
  });
  const people = (all.data?.members ?? []).filter((person) => person.can_answer === true);
  const isKnown =
    all.data !== undefined && (teamId === null || (team.data !== undefined && !team.isFetching));
  // A person who can no longer answer leaves the team when it is saved.
  const ids = new Set(team.data?.members.map(({ id }) => id));
  return {
    people,
    stored: isKnown ? people.filter(({ id }) => ids.has(id)).map(({ id }) => id) : null,
    error: all.error ?? team.error,
    refetch: () => {
      void all.refetch();
      if (teamId !== null) void team.refetch();
    },
  };
}
