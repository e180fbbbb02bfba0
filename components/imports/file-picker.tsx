"use client";

import { FileUp } from "lucide-react";
import { type ChangeEvent, type DragEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

type FilePickerProps = {
  /** The name of the optional second column. */
  noteColumn: string;
  isPending: boolean;
  onFile: (file: File) => Promise<void>;
};

/** Chooses a CSV file with a button, or by dropping it. */
export function FilePicker({ noteColumn, isPending, onFile }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // Choosing the same file again is a change too.
    target.value = "";
    if (file !== undefined) void onFile(file);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !isPending) void onFile(file);
  }

  return (
    <Field>
      <FieldLabel>CSV file</FieldLabel>
      <fieldset
        aria-label="File to import"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          "flex flex-col items-center gap-3 rounded-xl border border-dashed bg-muted/40 p-6 text-center text-sm",
          isOver && "border-brand bg-accent",
        )}
      >
        <p>Drop a file here, or choose one.</p>
        <FieldControl>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            className="sr-only"
            tabIndex={-1}
            onChange={choose}
          />
        </FieldControl>
        <Button variant="outline" disabled={isPending} onClick={() => input.current?.click()}>
          {isPending ? <Spinner /> : <FileUp aria-hidden="true" />}
          Choose file
        </Button>
      </fieldset>
      <FieldDescription>
        One handle per row, up to 10,000: a phone number with country code or an email address, then an
        optional {noteColumn}. A header row may name the columns <code>handle</code> and{" "}
        <code>{noteColumn}</code>. Nothing is stored before you confirm the preview.
      </FieldDescription>
    </Field>
  );
}
