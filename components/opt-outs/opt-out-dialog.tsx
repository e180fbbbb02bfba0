"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import { toast } from "sonner";
import { ReasonDialog } from "@/components/data/reason-dialog";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Opts somebody out by hand, as when they asked for it on the telephone. */
export function OptOutDialog() {
  const queryClient = useQueryClient();

  async function optOut(handle: string, note: string): Promise<void> {
    await apiFetch("/api/opt-outs", { method: "POST", body: { handle, opted_out: true, note } });
    await queryClient.invalidateQueries({ queryKey: optOutsKey });
    toast.success(`${handle} is opted out`);
  }

  return (
    <ReasonDialog
      trigger={
        <Button>
          <Ban aria-hidden="true" />
          Opt out…
        </Button>
      }
      title="Opt somebody out"
      description="Every send of this account to them is refused with 2024, from every line, until they write again or are opted in."
      action="Opt out"
      handle={null}
      reasonRequired
      run={optOut}
    />
  );
}
