"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ShieldBan } from "lucide-react";
import { toast } from "sonner";
import { blocksKey } from "@/components/blocked-handles/blocks-key";
import { ReasonDialog } from "@/components/data/reason-dialog";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** Blocks somebody, with the reason if there is one. */
export function BlockDialog() {
  const queryClient = useQueryClient();

  async function block(handle: string, reason: string): Promise<void> {
    const body = { handle, reason: reason === "" ? null : reason };
    await apiFetch("/api/blocked-handles", { method: "POST", body });
    await queryClient.invalidateQueries({ queryKey: blocksKey });
    toast.success(`${handle} is blocked`);
  }

  return (
    <ReasonDialog
      trigger={
        <Button>
          <ShieldBan aria-hidden="true" />
          Block…
        </Button>
      }
      title="Block a handle"
      description="What it writes to any line of this account is dropped, and direct sends to it are refused with 2026. Groups stay as they are."
      action="Block"
      handle={null}
      reasonRequired={false}
      run={block}
    />
  );
}
