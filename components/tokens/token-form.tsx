"use client";

import Link from "next/link";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import {
  type Expiry,
  isComplete,
  type TokenDraft,
  TokenLimitFields,
  type TokenLimits,
  toLimits,
} from "@/components/tokens/token-limit-fields";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

type TokenFormProps = {
  title: string;
  description: string;
  failureTitle: string;
  submitLabel: string;
  initial: TokenDraft;
  expiries: readonly Expiry[];
  pending: boolean;
  failure: ApiFailure | null;
  onSubmit: (limits: TokenLimits) => void;
};

/** The form for the name and limits of a token. */
export function TokenForm({
  title,
  description,
  failureTitle,
  submitLabel,
  initial,
  ...form
}: TokenFormProps) {
  const [draft, setDraft] = useState(initial);

  function submit(event: FormEvent): void {
    event.preventDefault();
    form.onSubmit(toLimits(draft));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>{title}</DialogTitle>
        <DialogDescription>
          {description}{" "}
          <Link href="/docs/guides/tokens" className="underline underline-offset-4">
            Token limits
          </Link>
        </DialogDescription>
      </DialogHeader>
      <FailureNote title={failureTitle} failure={form.failure} />
      <TokenLimitFields
        draft={draft}
        expiries={form.expiries}
        disabled={form.pending}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <DialogFooter>
        <Button type="submit" disabled={form.pending || !isComplete(draft)}>
          {form.pending && <Spinner />}
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
