"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Flag, FlagOff } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { FailureNote } from "@/components/data/failure-note";
import { linesKey } from "@/components/lines/lines-key";
import {
  AlertDialog,
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
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

const WORDS = {
  FLAGGED: {
    action: "Flag line",
    question: "Flag this line?",
    means:
      "Until you clear the flag, sends and changes on this line fail with error 2027, except changes to its forwarding number. Inbound messages still arrive.",
    done: "Line flagged",
    icon: Flag,
  },
  ACTIVE: {
    action: "Clear flag",
    question: "Clear this flag?",
    means:
      "You can send messages from this line again. For 24 hours, a bad reputation doesn't flag the line automatically.",
    done: "Flag cleared",
    icon: FlagOff,
  },
} as const;

/** Flags a line or clears its flag, after a confirmation. */
export function FlagLine({ line }: { line: LineDetails }) {
  const [open, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const status = line.status === "FLAGGED" ? "ACTIVE" : "FLAGGED";
  const { action, question, means, done, icon: Icon } = WORDS[status];
  const flag = useMutation<unknown, ApiFailure>({
    mutationFn: () => apiFetch(`/api/lines/${line.id}/status`, { method: "PUT", body: { status } }),
    onSuccess: async () => {
      setOpen(false);
      toast.success(done);
      await queryClient.invalidateQueries({ queryKey: linesKey });
    },
  });

  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button variant="outline" size="sm">
          <Icon aria-hidden="true" />
          {action}
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{question}</AlertDialogTitle>
          <AlertDialogDescription>{means}</AlertDialogDescription>
        </AlertDialogHeader>
        <FailureNote title="The line status could not be changed" failure={flag.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>Cancel</AlertDialogCancel>
          <Button
            variant={status === "FLAGGED" ? "destructive" : "default"}
            disabled={flag.isPending}
            onClick={() => flag.mutate()}
          >
            {flag.isPending && <Spinner />}
            {action}
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
