"use client";

import { type FormEvent, type ReactElement, useState } from "react";
import { TimeChoices } from "@/components/chats/state/time-choices";
import { FailureNote } from "@/components/data/failure-note";
import { useNow } from "@/components/data/time/clock";
import { formatMoment } from "@/components/data/time/format-time";
import { readAhead } from "@/components/data/time/read-ahead";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ApiFailure } from "@/lib/client/api-fetch";

const DAY_MS = 86_400_000;
const MAX_DAYS = 30;

export type TimeDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement;
  title: string;
  description: string;
  /** The label of the button that takes the typed time. */
  submit: string;
  /** The title of the error. */
  failed: string;
  work: { isPending: boolean; error: ApiFailure | null; mutate: (at: Date) => void };
};

/** Asks for a time up to 30 days ahead: one that is offered, or one in words, in the browser's time zone. */
export function TimeDialog({ open, onOpenChange, trigger, submit, work, ...text }: TimeDialogProps) {
  const nowMs = useNow().nowMs ?? Date.now();
  const [typed, setTyped] = useState("");
  const time = readAhead(typed, new Date(nowMs));
  const isTooFar = time !== null && time.getTime() > nowMs + MAX_DAYS * DAY_MS;

  function choose(event: FormEvent): void {
    event.preventDefault();
    if (time !== null && !isTooFar && !work.isPending) work.mutate(time);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-sm">
        <DialogHeader>
          <DialogTitle>{text.title}</DialogTitle>
          <DialogDescription>{text.description}</DialogDescription>
        </DialogHeader>
        <FailureNote title={text.failed} failure={work.error} />
        <TimeChoices nowMs={nowMs} disabled={work.isPending} onChoose={work.mutate} />
        <form onSubmit={choose} className="flex items-start gap-2">
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
            <FieldDescription className="tabular-nums">{hintOf(typed, time, isTooFar)}</FieldDescription>
          </Field>
          <Button type="submit" className="mt-6" disabled={time === null || isTooFar || work.isPending}>
            {submit}
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function hintOf(typed: string, time: Date | null, isTooFar: boolean): string {
  if (typed.trim() === "") return "Such as monday 9:30, in 2 hours or 2 dec 14:00.";
  if (time === null) return "Enter a time in the future.";
  return isTooFar ? `At most ${MAX_DAYS} days ahead.` : formatMoment(time.getTime());
}
