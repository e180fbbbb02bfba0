"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { ReasonDialog } from "@/components/data/reason-dialog";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Ends an opt-out by hand, with the reason. */
export function OptInDialog({ handle }: { handle: string }) {
  const queryClient = useQueryClient();

  async function optIn(_: string, note: string): Promise<void> {
    await apiFetch("/api/opt-outs", { method: "POST", body: { handle, opted_out: false, note } });
    await queryClient.invalidateQueries();
    toast.success(`${handle} may be messaged again`);
  }

  return (
    <ReasonDialog
      trigger={
        <Button variant="outline" size="sm" className="self-start">
          Opt in…
        </Button>
      }
      title={`Opt ${handle} in?`}
      description="Do this only if they have asked for it: they are messaged again from the next send on. What they write themselves ends an opt-out without you."
      action="Opt in"
      handle={handle}
      reasonRequired
      run={optIn}
    />
  );
}
