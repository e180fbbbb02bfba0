"use client";

import type { FormEvent, ReactElement, ReactNode } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
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
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

type FormDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement;
  title: ReactNode;
  description: ReactNode;
  /** The label of the submit button. */
  submit: ReactNode;
  /** Whether the fields can be submitted. */
  isReady: boolean;
  work: { isPending: boolean; error: ApiFailure | null; mutate: () => void };
  /** The title of the error. */
  failed: string;
  /** The fields. */
  children: ReactNode;
};

/** A dialog with a form: fields, the error of the last attempt, and one button that submits. */
export function FormDialog({ open, onOpenChange, trigger, isReady, work, ...text }: FormDialogProps) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && !work.isPending) work.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle className="wrap-anywhere">
              <Grouped>{text.title}</Grouped>
            </DialogTitle>
            <DialogDescription>
              <Grouped>{text.description}</Grouped>
            </DialogDescription>
          </DialogHeader>
          <FailureNote title={text.failed} failure={work.error} />
          {text.children}
          <DialogFooter>
            <Button type="submit" disabled={!isReady || work.isPending}>
              {work.isPending && <Spinner />}
              {text.submit}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
