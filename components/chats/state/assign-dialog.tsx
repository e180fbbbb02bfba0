"use client";

import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Member = { id: string; name: string };

type AssignDialogProps = {
  /** How many chats are assigned. */
  count: number;
  /** The id of the user. */
  me: string;
  /** null removes the assignment. */
  onChoose: (userId: string | null) => void;
  onClose: () => void;
};

/** Asks to whom chats are assigned; first the user, so that Enter takes them. Open while mounted. */
export function AssignDialog({ count, me, onChoose, onClose }: AssignDialogProps) {
  const { data } = useQuery<{ members: Member[] }, ApiFailure>({
    queryKey: ["team-members"],
    queryFn: ({ signal }) => apiFetch("/api/team-members", { signal }),
  });
  const others = (data?.members ?? []).filter(({ id }) => id !== me);
  const choices: { id: string | null; name: string }[] = [
    { id: me, name: "Me" },
    ...others,
    { id: null, name: "No one" },
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>{count === 1 ? "Assign chat" : `Assign ${count} chats`}</DialogTitle>
          <DialogDescription>
            The person looks after it. Everyone can still read and answer.
          </DialogDescription>
        </DialogHeader>
        <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto p-0.5">
          {choices.map(({ id, name }) => (
            <li key={id ?? name}>
              <Button
                variant="outline"
                className="wrap-anywhere w-full justify-start font-normal"
                onClick={() => onChoose(id)}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
