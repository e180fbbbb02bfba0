"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ReasonDialog } from "@/components/data/dialogs/reason-dialog";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Ends an opt-out manually, with a reason. */
export function OptInDialog({ handle }: { handle: string }) {
  const queryClient = useQueryClient();

  async function optIn(_: string, note: string): Promise<void> {
    await apiFetch("/api/opt-outs", { method: "POST", body: { handle, opted_out: false, note } });
    await queryClient.invalidateQueries();
    toast.success(`${handle} opted in`);
  }

  return (
    <ReasonDialog
      trigger={
        <Button variant="outline" size="sm" className="self-start">
          Opt in
        </Button>
      }
      title={`Opt ${handle} in?`}
      description="Opt this recipient in only if they asked for it. You can message them again right away. If they write to one of your lines, the opt-out ends automatically."
      action="Opt in"
      handle={handle}
      reasonRequired
      run={optIn}
    />
  );
}
