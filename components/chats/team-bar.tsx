"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MailCheck, UserRound } from "lucide-react";
import { BAR_TEXT } from "@/components/chats/bar-text";
import { refreshChats } from "@/components/chats/state/refresh-chats";
import { StateButtons, StateNote } from "@/components/chats/state/state-buttons";
import { NoteButton } from "@/components/chats/timeline/note-button";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { toast } from "@/components/data/toast";
import { useTeamMembers } from "@/components/teams/use-team-members";
import { useTeams } from "@/components/teams/use-teams";
import { withChosen } from "@/components/teams/with-chosen";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

const NO_ONE = "none";

type TeamBarProps = {
  chatId: string;
  /** The previous release does not say whether the account has teams. */
  team: ChatTeam & { has_teams?: boolean };
  maySend: boolean;
  /** The newest message on the screen. */
  lastMessageId: string | null;
};

/** Assigns the chat to a person and a team, writes an internal note, marks the chat as read, and closes or snoozes it. */
export function TeamBar({ chatId, team, maySend, lastMessageId }: TeamBarProps) {
  const { data } = useTeamMembers({ enabled: maySend });
  const { data: known } = useTeams({ enabled: maySend });
  const change = useTeamChange();
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
  const hasTeams = teams.length > 0 || team.has_teams === true;
  const assign = (body: { user_id: string | null } | { team_id: string | null }) =>
    change.mutate(() => apiFetch(`/api/chats/${chatId}/assignee`, { method: "PUT", body }));
  return (
    <section
      aria-label="Assignment"
      data-teams={hasTeams || undefined}
      className="group/bar flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-4 py-1.5 text-sm short:hidden sm:px-6 print:hidden"
    >
      <UserRound className="size-4 shrink-0 text-muted-foreground max-sm:hidden" aria-hidden="true" />
      <LazySelect
        label="Assigned to"
        size="sm"
        className="w-44 max-sm:min-w-18 max-sm:flex-1"
        value={assignee?.id ?? NO_ONE}
        disabled={change.isPending}
        options={[
          { value: NO_ONE, label: "Not assigned" },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => assign({ user_id: id === NO_ONE ? null : id })}
      />
      {hasTeams && (
        <LazySelect
          label="Team"
          size="sm"
          className="w-36 max-sm:min-w-18 max-sm:flex-1"
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
          title="Mark as read"
          disabled={change.isPending}
          onClick={() => change.mutate(() => apiFetch(`/api/chats/${chatId}/read`, { method: "POST" }))}
        >
          <MailCheck aria-hidden="true" />
          <span className={BAR_TEXT}>Mark as read</span>
        </Button>
      )}
      <StateButtons chatId={chatId} team={team} lastMessageId={lastMessageId} />
    </section>
  );
}

function useTeamChange() {
  const queryClient = useQueryClient();
  return useMutation<void, ApiFailure, () => Promise<void>>({
    mutationFn: (work) => work(),
    onError: (failure) => toast.error(failure.message),
    onSettled: () => refreshChats(queryClient),
  });
}
