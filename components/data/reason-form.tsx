"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import type { ApiFailure } from "@/lib/client/api-fetch";

export type ReasonedAction = {
  title: string;
  /** Describes the effect of the action. */
  description: ReactNode;
  /** The label of the submit button. */
  action: string;
  /** The handle to act on; null shows a field for it. */
  handle: string | null;
  /** Whether a reason must be given. */
  reasonRequired: boolean;
  run: (handle: string, reason: string) => Promise<unknown>;
};

/** The dialog of `ReasonDialog`. */
export function ReasonFormDialog(props: ReasonedAction & LoadedPopup) {
  const { trigger, title, description, action, ...form } = props;
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        <ReasonForm {...form} action={action} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

type ReasonFormProps = Pick<ReasonedAction, "action" | "handle" | "reasonRequired" | "run"> & {
  onDone: () => void;
};

function ReasonForm({ action, handle, reasonRequired, run, onDone }: ReasonFormProps) {
  const [fields, setFields] = useState({ handle: handle ?? "", reason: "" });
  const mutation = useMutation<unknown, ApiFailure>({
    mutationFn: () => run(fields.handle.trim(), fields.reason.trim()),
    onSuccess: onDone,
  });
  const complete = fields.handle.trim() !== "" && (!reasonRequired || fields.reason.trim() !== "");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (complete && !mutation.isPending) mutation.mutate();
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <FailureNote title="The change could not be saved" failure={mutation.error} />
      {handle === null && (
        <HandleField
          value={fields.handle}
          onChange={(written) => setFields({ ...fields, handle: written })}
        />
      )}
      <Field>
        <FieldLabel>{reasonRequired ? "Reason" : "Reason (optional)"}</FieldLabel>
        <FieldControl>
          <Textarea
            name="reason"
            maxLength={500}
            required={reasonRequired}
            value={fields.reason}
            onChange={(event) => setFields({ ...fields, reason: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>The reason is saved in the history with your name.</FieldDescription>
      </Field>
      <DialogFooter>
        <Button type="submit" disabled={!complete || mutation.isPending}>
          {mutation.isPending && <Spinner />}
          {action}
        </Button>
      </DialogFooter>
    </form>
  );
}

function HandleField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Field>
      <FieldLabel>Phone number or email address</FieldLabel>
      <FieldControl>
        <Input
          name="handle"
          autoComplete="off"
          required
          maxLength={254}
          placeholder="+1 555 010 0101"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </FieldControl>
      <FieldDescription>Enter phone numbers with the country code.</FieldDescription>
    </Field>
  );
}
