"use client";

import type { ComponentProps, FormEvent } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useDraft } from "@/components/data/fields/use-draft";
import { useLineChange } from "@/components/lines/use-line-change";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";

type LineTextFormProps = {
  lineId: string;
  mayManage: boolean;
  name: "label" | "forwarding_number";
  saved: string | null;
  label: string;
  description: string;
  /** The notification after the change. */
  done: string;
  /** The title of the error. */
  failed: string;
  input: ComponentProps<typeof Input>;
  onSaved?: () => void;
};

/** A text in a line's settings, with a button that saves it. An empty text removes it. */
export function LineTextForm({
  lineId,
  mayManage,
  name,
  saved,
  input,
  onSaved,
  ...texts
}: LineTextFormProps) {
  const { text, change: setText, wasSaved } = useDraft(saved ?? "");
  const change = useLineChange(lineId, texts.done);
  const value = text.trim() === "" ? null : text.trim();

  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate(
      { [name]: value },
      {
        onSuccess() {
          wasSaved(text);
          onSaved?.();
        },
      },
    );
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FailureNote title={texts.failed} failure={change.error} />
      <Field>
        <FieldLabel>{texts.label}</FieldLabel>
        <div className="flex gap-2">
          <FieldControl>
            <Input
              autoComplete="off"
              readOnly={!mayManage}
              value={text}
              onChange={(event) => setText(event.target.value)}
              {...input}
            />
          </FieldControl>
          {mayManage && (
            <Button type="submit" variant="outline" disabled={value === saved || change.isPending}>
              {change.isPending && <Spinner />}
              Save
            </Button>
          )}
        </div>
        <FieldDescription>{texts.description}</FieldDescription>
      </Field>
    </form>
  );
}
