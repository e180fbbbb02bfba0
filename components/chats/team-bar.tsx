"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MailCheck, UserRound } from "lucide-react";
import { StateButtons, StateNote } from "@/components/chats/state/state-buttons";
import { NoteButton } from "@/components/chats/timeline/note-button";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { toast } from "@/components/data/toast";
import { useTeams } from "@/components/teams/use-teams";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

export type Member = { id: string; name: string };

const NO_ONE = "none";

type TeamBarProps = {
  chatId: string;
  team: ChatTeam;
  maySend: boolean;
  /** The newest message on the screen. */
  lastMessageId: string | null;
};

/** Assigns the chat to a person and a team, writes an internal note, marks the chat as read, and closes or snoozes it. */
export function TeamBar({ chatId, team, maySend, lastMessageId }: TeamBarProps) {
  const { data } = useQuery<{ members: Member[] }, ApiFailure>({
    queryKey: ["team-members"],
    queryFn: ({ signal }) => apiFetch("/api/team-members", { signal }),
    enabled: maySend,
  });
  const { data: known } = useTeams({ enabled: maySend });
  const change = useTeamChange(chatId);
  const { assignee } = team;
  if (!maySend) {
    return (
      <p className="flex flex-wrap items-center gap-2 border-b px-4 py-2 text-sm empty:hidden sm:px-6">
        {assignee && <span>Assigned to {assignee.name}</span>}
        {team.team && (
          <span>
            Team <bdi>{team.team.name}</bdi>
          </span>
        )}
        <StateNote team={team} />
      </p>
    );
  }
  const members = withChosen(data?.members ?? [], assignee);
  const teams = withChosen(known?.teams ?? [], team.team);
  const assign = (body: { user_id: string | null } | { team_id: string | null }) =>
    change.mutate(() => apiFetch(`/api/chats/${chatId}/assignee`, { method: "PUT", body }));
  return (
    <section
      aria-label="Team"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-4 py-1.5 text-sm short:hidden sm:px-6 print:hidden"
    >
      <UserRound className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
      <LazySelect
        label="Assigned to"
        size="sm"
        className="w-44 max-sm:w-36"
        value={assignee?.id ?? NO_ONE}
        disabled={change.isPending}
        options={[
          { value: NO_ONE, label: "Not assigned" },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => assign({ user_id: id === NO_ONE ? null : id })}
      />
      {teams.length > 0 && (
        <LazySelect
          label="Team"
          size="sm"
          className="w-36 max-sm:w-32"
          value={team.team?.id ?? NO_ONE}
          disabled={change.isPending}
          options={[
            { value: NO_ONE, label: "No team" },
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => assign({ team_id: id === NO_ONE ? null : id })}
        />
      )}
      <NoteButton chatId={chatId} members={members} />
      {team.is_unread && (
        <Button
          variant="ghost"
          size="sm"
          disabled={change.isPending}
          onClick={() => change.mutate(() => apiFetch(`/api/chats/${chatId}/read`, { method: "POST" }))}
        >
          <MailCheck aria-hidden="true" />
          <span className="max-sm:sr-only">Mark as read</span>
        </Button>
      )}
      <StateButtons chatId={chatId} team={team} lastMessageId={lastMessageId} />
    </section>
  );
}

/** The members or teams, with a chosen one that is gone or not loaded yet. */
function withChosen(all: readonly Member[], chosen: Member | null): Member[] {
  const isKnown = chosen === null || all.some(({ id }) => id === chosen.id);
  return isKnown ? [...all] : [...all, chosen];
}

function useTeamChange(chatId: string) {
  const queryClient = useQueryClient();
  return useMutation<void, ApiFailure, () => Promise<void>>({
    mutationFn: (work) => work(),
    onError: (failure) => toast.error(failure.message),
    onSettled: () =>
      Promise.all(
        [["chat-team", chatId], ["notes", chatId], ["conversations"]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
