"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import { ReasonDialog } from "@/components/data/dialogs/reason-dialog";
import { toast } from "@/components/data/toast";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Adds an opt-out manually, for example after a request by phone. `?dialog=opt-out&about=…` opens the dialog. */
export function OptOutDialog() {
  const queryClient = useQueryClient();

  async function optOut(handle: string, note: string): Promise<void> {
    await apiFetch("/api/opt-outs", { method: "POST", body: { handle, opted_out: true, note } });
    await queryClient.invalidateQueries({ queryKey: optOutsKey });
    toast.success(`${handle} opted out`);
  }

  return (
    <ReasonDialog
      address="opt-out"
      trigger={
        <Button>
          <Ban aria-hidden="true" />
          Add opt-out
        </Button>
      }
      title="Add an opt-out"
      description="Every send from this account to the recipient fails with error 2024, until the recipient writes again or you opt them in."
      action="Add opt-out"
      handle={null}
      reasonRequired
      run={optOut}
    />
  );
}
