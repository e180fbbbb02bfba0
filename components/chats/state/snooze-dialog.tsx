"use client";

import { type FormEvent, useState } from "react";
import { readLocalTime } from "@/components/chats/state/snooze-times";
import { TimeChoices } from "@/components/chats/state/time-choices";
import { useNow } from "@/components/data/time/clock";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export type SnoozeDialogProps = {
  /** How many chats are snoozed. */
  count: number;
  onChoose: (until: Date) => void;
  onClose: () => void;
};

/** Asks until when chats are snoozed. Open while mounted. */
export function SnoozeDialog({ count, onChoose, onClose }: SnoozeDialogProps) {
  const nowMs = useNow().nowMs ?? Date.now();
  const [typed, setTyped] = useState("");
  const time = readLocalTime(typed, nowMs);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (time !== null) onChoose(time);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>{count === 1 ? "Snooze chat" : `Snooze ${count} chats`}</DialogTitle>
          <DialogDescription>
            {count === 1 ? "The chat is" : "The chats are"} open again at this time, or as soon as the
            customer writes.
          </DialogDescription>
        </DialogHeader>
        <TimeChoices nowMs={nowMs} onChoose={onChoose} />
        <form onSubmit={submit} className="flex items-end gap-2">
          <Field className="flex-1">
            <FieldLabel>Date and time</FieldLabel>
            <FieldControl>
              <Input type="datetime-local" value={typed} onChange={({ target }) => setTyped(target.value)} />
            </FieldControl>
          </Field>
          <Button type="submit" disabled={time === null}>
            Snooze
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}
