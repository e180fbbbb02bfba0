"use client";

import type { FormEvent } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useDraft } from "@/components/data/fields/use-draft";
import { useChangeFailover } from "@/components/lines/transport/use-line-transport";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";

/** After how many seconds of an outage a line uses its next connection. */
export function FailoverForm({ lineId, seconds }: { lineId: string; seconds: number | null }) {
  const saved = seconds === null ? "" : String(seconds);
  const { text, change: setText, wasSaved } = useDraft(saved);
  const change = useChangeFailover(lineId);
  const isSame = text.trim() === saved;

  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate(text.trim() === "" ? null : Number(text), { onSuccess: () => wasSaved(text) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FailureNote title="The failover could not be saved" failure={change.error} />
      <Field>
        <FieldLabel>Fail over after (seconds)</FieldLabel>
        <div className="flex gap-2">
          <FieldControl>
            <Input
              type="number"
              min={10}
              max={86_400}
              className="sm:w-40"
              placeholder="Never"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </FieldControl>
          <Button type="submit" variant="outline" disabled={isSame || change.isPending}>
            {change.isPending && <Spinner />}
            Save
          </Button>
        </div>
        <FieldDescription>
          When the line has been down for this long, it uses the next connection, and after the last one the
          first. Messages that the failed vendor may have are not sent again: they fail with 4006. Leave empty
          to change the connection only by hand.
        </FieldDescription>
      </Field>
    </form>
  );
}
