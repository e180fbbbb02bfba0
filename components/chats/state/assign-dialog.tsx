"use client";

import { useQuery } from "@tanstack/react-query";
import { useTeams } from "@/components/teams/use-teams";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Member = { id: string; name: string };

/** The person or the team that chats get; null removes the one they have, and what is absent stays. */
type Choice = { user_id: string | null } | { team_id: string | null };

type AssignDialogProps = {
  /** How many chats are assigned. */
  count: number;
  /** The id of the user. */
  me: string;
  onChoose: (assignment: Choice) => void;
  onClose: () => void;
};

/** Asks to whom or to which team chats are assigned; first the user, so that Enter takes them. Open while mounted. */
export function AssignDialog({ count, me, onChoose, onClose }: AssignDialogProps) {
  const { data } = useQuery<{ members: Member[] }, ApiFailure>({
    queryKey: ["team-members"],
    queryFn: ({ signal }) => apiFetch("/api/team-members", { signal }),
  });
  const others = (data?.members ?? []).filter(({ id }) => id !== me);
  const teams = useTeams().data?.teams ?? [];
  const people = [
    { name: "Me", choice: { user_id: me } },
    ...others.map(({ id, name }) => ({ name, choice: { user_id: id } })),
    { name: "No one", choice: { user_id: null } },
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>{count === 1 ? "Assign chat" : `Assign ${count} chats`}</DialogTitle>
          <DialogDescription>
            {teams.length === 0 ? "The person looks" : "A person, a team or both look"} after it. Everyone can
            still read and answer.
          </DialogDescription>
        </DialogHeader>
        <div className="flex max-h-80 flex-col gap-3 overflow-y-auto p-1">
          <Choices label="People" choices={people} onChoose={onChoose} />
          {teams.length > 0 && (
            <Choices
              label="Teams"
              choices={[
                ...teams.map(({ id, name }) => ({ name, choice: { team_id: id } })),
                { name: "No team", choice: { team_id: null } },
              ]}
              onChoose={onChoose}
            />
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}

type ChoicesProps = {
  label: string;
  choices: { name: string; choice: Choice }[];
  onChoose: (assignment: Choice) => void;
};

function Choices({ label, choices, onChoose }: ChoicesProps) {
  return (
    <section aria-label={label}>
      <p aria-hidden="true" className="pb-1 text-muted-foreground text-xs">
        {label}
      </p>
      <ul className="flex flex-col gap-1">
        {choices.map(({ name, choice }) => (
          <li key={JSON.stringify(choice)}>
            <Button
              variant="outline"
              className="wrap-anywhere w-full justify-start font-normal"
              onClick={() => onChoose(choice)}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
