"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleX } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { toast } from "sonner";
import { FailureNote } from "@/components/data/failure-note";
import { useFreshDialog } from "@/components/data/use-fresh-dialog";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

type ConfirmActionProps = {
  /** Of the button that asks. */
  label: ReactNode;
  icon?: ReactNode;
  /** For screen readers where the label alone does not say of what. */
  name?: string;
  title: string;
  description: string;
  confirm: string;
  keep: string;
  /** Said once it is done, and over the reason when it was not. */
  done: string;
  failed: string;
  /** Whether it takes something away. */
  isDestructive?: boolean;
  action: () => Promise<unknown>;
  onDone?: () => void;
};

const CANCEL = <CircleX aria-hidden="true" />;

/** A deed of consequence: asked about first, and what kept it from happening is told where it was asked. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { label, icon = CANCEL, name, isDestructive = true, action, onDone, ...words } = props;
  const work = useMutation<unknown, ApiFailure>({
    mutationFn: action,
    onSuccess: () => {
      onOpenChange(false);
      toast.success(words.done);
      onDone?.();
    },
  });
  const [open, onOpenChange] = useFreshDialog(work.reset);

  // The dialog stays until it is known how it went.
  function confirm(event: MouseEvent): void {
    event.preventDefault();
    if (!work.isPending) work.mutate();
  }

  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={name}>
          {icon}
          {label}
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{words.title}</AlertDialogTitle>
          <AlertDialogDescription>{words.description}</AlertDialogDescription>
        </AlertDialogHeader>
        <FailureNote title={words.failed} failure={work.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>{words.keep}</AlertDialogCancel>
          <AlertDialogAction
            variant={isDestructive ? "destructive" : "default"}
            aria-disabled={work.isPending}
            onClick={confirm}
          >
            {work.isPending && <Spinner />}
            {words.confirm}
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
