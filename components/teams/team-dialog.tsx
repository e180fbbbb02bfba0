"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { listedPeople } from "@/components/teams/listed-people";
import { useTeamMembers } from "@/components/teams/use-team-members";
import { FAILS_OFFLINE, teamsKey } from "@/components/teams/use-teams";
import type { Choice } from "@/components/teams/with-chosen";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const MAX_NAME = 60;
const MAX_MEMBERS = 200;

export type TeamDialogProps = { team: { id: string; name: string } | null; onDone: () => void };

/** Creates a team, or changes the name and the members of `team`. */
export function TeamDialog({ team, onDone, trigger }: TeamDialogProps & LoadedPopup) {
  const [name, setName] = useState(team?.name ?? "");
  /** The people who were checked (true) or unchecked (false), by id. */
  const [changes, setChanges] = useState<Readonly<Record<string, boolean>>>({});
  const { people, error, refetch } = usePeople(team?.id ?? null);
  // Everyone who is shown as checked, and no one else.
  const members = people?.filter(({ id, isMember }) => changes[id] ?? isMember).map(({ id }) => id);
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
    setChanges({});
    refetch();
    save.reset();
  }, true);

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={team === null ? "Create a team" : "Edit the team"}
      description="Members are people of the partner whose role lets them answer chats."
      submit="Save"
      isReady={name.trim() !== "" && members !== undefined}
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
      <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto p-1">
        <legend className="mb-2 font-medium text-sm">Members</legend>
        {members === undefined && error === null && <Skeleton className="h-16 w-full" />}
        {members !== undefined &&
          people?.map((person) => (
            <label
              key={person.id}
              htmlFor={`member-${person.id}`}
              className="flex items-center gap-2 text-sm"
            >
              <Checkbox
                id={`member-${person.id}`}
                checked={members.includes(person.id)}
                disabled={!members.includes(person.id) && members.length >= MAX_MEMBERS}
                onCheckedChange={(checked) => setChanges({ ...changes, [person.id]: checked === true })}
              />
              <span className="wrap-anywhere">
                <bdi>{person.name}</bdi>
                {person.can_answer === false && (
                  <span className="text-muted-foreground"> (can't answer chats)</span>
                )}
              </span>
            </label>
          ))}
      </fieldset>
    </FormDialog>
  );
}

/** The people to list; undefined until they are known. */
function usePeople(teamId: string | null) {
  const queryClient = useQueryClient();
  const queryKey = [...teamsKey, teamId];
  const all = useTeamMembers();
  const team = useQuery<{ members: Choice[] }, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/teams/${teamId}`, { signal }),
    enabled: teamId !== null,
    // Another admin may have changed it since.
    staleTime: 0,
    gcTime: 0,
    ...FAILS_OFFLINE,
  });
  const members = teamId === null ? [] : team.data?.members;
  return {
    people: all.data && members && listedPeople(all.data.members, members),
    error: all.error ?? team.error,
    refetch: () => {
      void all.refetch();
      // The members of an earlier opening are no longer shown.
      if (teamId !== null) void queryClient.resetQueries({ queryKey });
    },
  };
}
