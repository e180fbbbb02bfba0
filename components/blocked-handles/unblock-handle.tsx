"use client";

import { useBlockChanges } from "@/components/blocked-handles/use-block-changes";
import { Button } from "@/components/ui/button";

type UnblockHandleProps = { handle: string; reason: string | null };

/** Unblocks a handle at once. The toast undoes it. */
export function UnblockHandle({ handle, reason }: UnblockHandleProps) {
  const { unblock } = useBlockChanges();
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={`Unblock ${handle}`}
      disabled={unblock.isPending}
      onClick={() => unblock.mutate({ handle, reason })}
    >
      Unblock
    </Button>
  );
}
