"use client";

import { type FormEvent, useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

type NewTokenFormProps = {
  pending: boolean;
  failure: ApiFailure | null;
  onGenerate: (name: string) => void;
};

/** What a new token is called. */
export function NewTokenForm({ pending, failure, onGenerate }: NewTokenFormProps) {
  const [name, setName] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    onGenerate(name.trim());
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Generate an API token</DialogTitle>
        <DialogDescription>It can do all that the API offers in this account.</DialogDescription>
      </DialogHeader>
      {failure && (
        <ErrorNote title="No token was generated" code={failure.code} traceId={failure.traceId}>
          {failure.message}
        </ErrorNote>
      )}
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input
            name="name"
            autoComplete="off"
            required
            maxLength={80}
            placeholder="Booking server"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </FieldControl>
        <FieldDescription>
          The program or person it is for, so that you know what breaks when you revoke it.
        </FieldDescription>
      </Field>
      <DialogFooter>
        <Button type="submit" disabled={pending || name.trim() === ""}>
          {pending && <Spinner />}
          Generate
        </Button>
      </DialogFooter>
    </form>
  );
}
