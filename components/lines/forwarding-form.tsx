"use client";

import type { FormEvent } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useDraft } from "@/components/data/fields/use-draft";
import { useLineChange } from "@/components/lines/use-line-change";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { LineDetails } from "@/lib/lines/overview/get-line-details";

/** The number that calls to a line are forwarded to. It can be changed even on a flagged line. */
export function ForwardingForm({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  const saved = line.forwarding_number ?? "";
  const { text, change: setText, wasSaved } = useDraft(saved);
  const change = useLineChange(line.id, "Forwarding number saved");
  const isSame = text.trim() === saved;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const forwarding_number = text.trim() === "" ? null : text.trim();
    change.mutate({ forwarding_number }, { onSuccess: () => wasSaved(text) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FailureNote title="The forwarding number could not be saved" failure={change.error} />
      <Field>
        <FieldLabel>Forwarding number</FieldLabel>
        <div className="flex gap-2">
          <FieldControl>
            <Input
              type="tel"
              autoComplete="off"
              placeholder="+15550100199"
              className="font-mono sm:w-72"
              readOnly={!mayManage}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </FieldControl>
          {mayManage && (
            <Button type="submit" variant="outline" disabled={isSame || change.isPending}>
              {change.isPending && <Spinner />}
              Save
            </Button>
          )}
        </div>
        <FieldDescription>
          Calls to this line are forwarded to this number if the transport supports it. Leave empty to turn
          off forwarding.
        </FieldDescription>
      </Field>
    </form>
  );
}
