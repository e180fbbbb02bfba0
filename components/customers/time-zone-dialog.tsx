"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { TimeZoneInput } from "@/components/data/fields/time-zone-input";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

export type TimeZoneDialogProps = { handle: string; timeZone: string | null; onDone: () => void };

/** Sets the time zone of a person, or returns to that of the number. */
export function TimeZoneDialog({ handle, timeZone, onDone, trigger }: TimeZoneDialogProps & LoadedPopup) {
  const [text, setText] = useState(timeZone ?? "");
  const zone = text.trim() === "" ? null : text.trim();
  const queryClient = useQueryClient();
  const save = useMutation<void, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/customers/${encodeURIComponent(handle)}/time-zone`, {
        method: "PUT",
        body: { time_zone: zone },
      }),
    onSuccess: () => {
      onOpenChange(false);
      toast.success(zone === null ? "Time zone removed" : `Time zone set to ${zone}`);
      void queryClient.invalidateQueries({ queryKey: ["send-plan"] });
      onDone();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setText(timeZone ?? "");
    save.reset();
  }, true);
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={`Time zone of ${handle}`}
      description="Quiet hours follow this person's clock."
      submit="Save time zone"
      isReady={zone !== timeZone}
      work={save}
      failed="The time zone was not saved"
    >
      <Field>
        <FieldLabel>Time zone</FieldLabel>
        <FieldControl>
          <TimeZoneInput value={text} onChange={setText} />
        </FieldControl>
        <FieldDescription>
          Such as Europe/Berlin. Without one, it comes from the country and area code of the number.
        </FieldDescription>
      </Field>
    </FormDialog>
  );
}
