"use client";

import { type FormEvent, useState } from "react";
import { TimeChoices } from "@/components/chats/state/time-choices";
import { useNow } from "@/components/data/time/clock";
import { formatMoment } from "@/components/data/time/format-time";
import { readAhead } from "@/components/data/time/read-ahead";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
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
  const time = readAhead(typed, new Date(nowMs));

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
        <form onSubmit={submit} className="flex items-start gap-2">
          <Field className="flex-1">
            <FieldLabel>Date and time</FieldLabel>
            <FieldControl>
              <Input
                autoComplete="off"
                spellCheck={false}
                placeholder="tomorrow 9am"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            </FieldControl>
            <FieldDescription className="tabular-nums">{hintOf(typed, time)}</FieldDescription>
          </Field>
          <Button type="submit" className="mt-6" disabled={time === null}>
            Snooze
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function hintOf(typed: string, time: Date | null): string {
  if (typed.trim() === "") return "Such as monday 9:30, in 2 hours or 2 dec 14:00.";
  return time === null ? "Enter a time in the future." : formatMoment(time.getTime());
}
