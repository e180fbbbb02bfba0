"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ShieldBan } from "lucide-react";
import { blocksKey } from "@/components/blocked-handles/blocks-key";
import { useBlockChanges } from "@/components/blocked-handles/use-block-changes";
import { ReasonDialog } from "@/components/data/dialogs/reason-dialog";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Blocks a handle, with an optional reason. `?dialog=block&about=…` opens the dialog. */
export function BlockDialog() {
  const queryClient = useQueryClient();
  const { unblock } = useBlockChanges();

  async function block(handle: string, written: string): Promise<void> {
    const reason = written === "" ? null : written;
    await apiFetch("/api/blocked-handles", { method: "POST", body: { handle, reason } });
    await queryClient.invalidateQueries({ queryKey: blocksKey });
    const action = { label: "Undo", onClick: () => unblock.mutate({ handle, reason }) };
    toast.success(`${handle} blocked`, { action });
  }

  return (
    <ReasonDialog
      address="block"
      trigger={
        <Button>
          <ShieldBan aria-hidden="true" />
          Block a number
        </Button>
      }
      title="Block a number"
      description="Messages from this number or email address to any of your lines are dropped, and direct sends to it fail with error 2026. Group chats are not affected."
      action="Block"
      handle={null}
      reasonRequired={false}
      run={block}
    />
  );
}
