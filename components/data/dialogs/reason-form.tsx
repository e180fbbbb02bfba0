"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
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
  /** The first value of the field for the handle. */
  suggested?: string;
  /** Whether a reason must be given. */
  reasonRequired: boolean;
  run: (handle: string, reason: string) => Promise<unknown>;
};

/** The dialog of `ReasonDialog`. */
export function ReasonFormDialog(props: ReasonedAction & LoadedPopup) {
  const { trigger, title, description, action, handle, suggested = "", reasonRequired, run } = props;
  const [fields, setFields] = useState({ handle: handle ?? suggested, reason: "" });
  const work = useMutation<unknown, ApiFailure>({
    mutationFn: () => run(fields.handle.trim(), fields.reason.trim()),
    onSuccess: () => onOpenChange(false),
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setFields({ handle: handle ?? "", reason: "" });
    work.reset();
  }, true);

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={title}
      description={description}
      submit={action}
      isReady={fields.handle.trim() !== "" && (!reasonRequired || fields.reason.trim() !== "")}
      work={work}
      failed="The change could not be saved"
    >
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
    </FormDialog>
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
