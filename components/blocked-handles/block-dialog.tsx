"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ShieldBan } from "lucide-react";
import { toast } from "sonner";
import { blocksKey } from "@/components/blocked-handles/blocks-key";
import { ReasonDialog } from "@/components/data/reason-dialog";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Blocks a handle, with an optional reason. */
export function BlockDialog() {
  const queryClient = useQueryClient();

  async function block(handle: string, reason: string): Promise<void> {
    const body = { handle, reason: reason === "" ? null : reason };
    await apiFetch("/api/blocked-handles", { method: "POST", body });
    await queryClient.invalidateQueries({ queryKey: blocksKey });
    toast.success(`${handle} blocked`);
  }

  return (
    <ReasonDialog
      trigger={
        <Button>
          <ShieldBan aria-hidden="true" />
          Block a handle
        </Button>
      }
      title="Block a handle"
      description="Messages from this handle to any of your lines are dropped, and direct sends to it fail with error 2026. Group chats are not affected."
      action="Block"
      handle={null}
      reasonRequired={false}
      run={block}
    />
  );
}
