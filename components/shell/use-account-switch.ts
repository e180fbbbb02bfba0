"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useTransition } from "react";
import { toast } from "@/components/data/toast";
import { findPage } from "@/components/shell/navigation";

export type SwitchAccount = (accountId: string) => Promise<boolean>;

/**
 * Switches the account and clears data cached for the previous one. From a details page, the user lands on its
 * list, because the object belongs to the previous account.
 */
export function useAccountSwitch(onSwitchAccount: SwitchAccount) {
  const [pending, startTransition] = useTransition();
  const queryClient = useQueryClient();
  const router = useRouter();
  const pathname = usePathname();

  function switchTo(accountId: string): void {
    startTransition(async () => {
      try {
        if (!(await onSwitchAccount(accountId))) return;
        queryClient.clear();
        router.push(findPage(pathname)?.href ?? "/");
        router.refresh();
      } catch {
        toast.error("The account was not switched", {
          description: "The server did not respond. Try again.",
        });
      }
    });
  }

  return { pending, switchTo };
}
