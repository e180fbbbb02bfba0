"use client";

import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useLineChange } from "@/components/lines/use-line-change";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

/** Where calls to a line go. Also a flagged line's can be changed. */
export function ForwardingForm({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  const [text, setText] = useState(line.forwarding_number ?? "");
  const change = useLineChange(line.id, "The forwarding number was saved");
  const isSame = text.trim() === (line.forwarding_number ?? "");

  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate({ forwarding_number: text.trim() === "" ? null : text.trim() });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FailureNote title="Not saved" failure={change.error} />
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
          Calls to the line are forwarded there, but forwards only where the transport can. Empty ends it.
        </FieldDescription>
      </Field>
    </form>
  );
}
