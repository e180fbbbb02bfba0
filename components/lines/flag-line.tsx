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
    action: "Flag the line",
    question: "Flag this line?",
    means:
      "Every write on it is refused with 2027 until it is cleared, except the forwarding number. Inbound messages still arrive.",
    done: "The line is flagged",
    icon: Flag,
  },
  ACTIVE: {
    action: "Clear the flag",
    question: "Clear the flag?",
    means: "Messages can be sent from the line again. Its reputation alone does not flag it for 24 hours.",
    done: "The line is active",
    icon: FlagOff,
  },
} as const;

/** Flags a line or clears it by hand, once the reader has confirmed it. */
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
        <FailureNote title="Not changed" failure={flag.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>Leave it</AlertDialogCancel>
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
