"use client";

import { type LucideIcon, UserRound, Users, X } from "lucide-react";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { PaletteGroup } from "@/components/shell/palette/palette-command";
import { commandValue, rankGroups, selectedValue } from "@/components/shell/palette/rank-commands";
import { useTeamMembers } from "@/components/teams/use-team-members";
import { ownFirst, useTeams } from "@/components/teams/use-teams";
import {
  Command,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "@/components/ui/command";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";

/** The person or the team that chats get; null removes the one they have, and what is absent stays. */
type Assignment = { user_id: string | null } | { team_id: string | null };

type AssignDialogProps = {
  /** How many chats are assigned. */
  count: number;
  /** The id of the user. */
  me: string;
  onChoose: (assignment: Assignment) => void;
  onClose: () => void;
};

/** Asks to whom or to which team chats are assigned; first the user, so that Enter takes them. Open while mounted. */
export function AssignDialog({ count, me, onChoose, onClose }: AssignDialogProps) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, isPending, error, refetch } = useAssignees(me, onChoose);
  const shown = rankGroups(groups, text.trim());
  const title = count === 1 ? "Assign chat" : `Assign ${count} chats`;
  const chats = count === 1 ? "it" : "them";

  function type(next: string): void {
    setText(next);
    setChosen(null);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {/* Its top stays where it is when the list grows. */}
      <DialogContent className="top-[12dvh] max-h-[84dvh] translate-y-0 sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>
            A person, a team or both can look after {chats}. Everyone can still read and answer {chats}.
          </DialogDescription>
        </DialogHeader>
        <Command
          label="Person or team"
          shouldFilter={false}
          value={selectedValue(shown, chosen)}
          onValueChange={setChosen}
          loop
          className="rounded-md border"
        >
          <CommandInput value={text} onValueChange={type} placeholder="Person or team" />
          <CommandList className="h-72 max-h-[45dvh]">
            {shown.map(({ label, commands }) => (
              <CommandGroup key={label} heading={label || undefined}>
                {commands.map(({ id, label: name, icon: Icon, run }) => (
                  <CommandItem key={id} value={commandValue(label, id)} onSelect={run}>
                    <Icon aria-hidden="true" />
                    <bdi className="min-w-0 truncate">{name}</bdi>
                  </CommandItem>
                ))}
              </CommandGroup>
            ))}
            {isPending && <Skeleton className="m-2.5 h-16" />}
            {shown.length === 0 && !isPending && <CommandEmpty>No person or team matches.</CommandEmpty>}
          </CommandList>
        </Command>
        <FailureNote title="Not all people and teams could be loaded" failure={error} onRetry={refetch} />
      </DialogContent>
    </Dialog>
  );
}

/** The choices: the user, teams with those of the user first, other people, and removals, which a search finds last. */
function useAssignees(me: string, onChoose: AssignDialogProps["onChoose"]) {
  const members = useTeamMembers();
  const teams = useTeams();
  // All come at once, so that no choice moves under the pointer.
  const isPending = members.isPending || teams.isPending;
  const people = members.data?.members ?? [];
  const listed = ownFirst(teams.data?.teams ?? []);
  const choice = (label: string, icon: LucideIcon, assignment: Assignment) => ({
    id: JSON.stringify(assignment),
    label,
    icon,
    run: () => onChoose(assignment),
  });
  const ownNames = people.filter(({ id }) => id === me).map(({ name }) => name);
  const self = {
    label: "",
    commands: [{ ...choice("Me", UserRound, { user_id: me }), keywords: ownNames }],
  };
  const others = people.filter(({ id }) => id !== me);
  const noTeam = listed.length === 0 ? [] : [choice("No team", X, { team_id: null })];
  const groups: PaletteGroup[] = [
    { label: "Teams", commands: listed.map(({ id, name }) => choice(name, Users, { team_id: id })) },
    { label: "People", commands: others.map(({ id, name }) => choice(name, UserRound, { user_id: id })) },
    { label: "Remove", commands: [choice("No one", X, { user_id: null }), ...noTeam] },
  ];
  return {
    groups: isPending ? [self] : [self, ...groups],
    isPending,
    error: members.error ?? teams.error,
    refetch: () => {
      void members.refetch();
      void teams.refetch();
    },
  };
}
