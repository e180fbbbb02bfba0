"use client";

import { useSender } from "@/components/shell/rights";
import { switchAccount } from "@/components/shell/switch-account";
import { useAccountSwitch } from "@/components/shell/use-account-switch";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { Account } from "@/lib/identity/accounts/account";

/** The name of an account, which opens the account in the dashboard. */
export function OpenAccount({ account: { id, name } }: { account: Account }) {
  const sender = useSender();
  const { pending, switchTo } = useAccountSwitch((accountId) => switchAccount(sender, accountId));
  return (
    <Button
      variant="link"
      className="h-auto min-w-0 shrink justify-start whitespace-normal p-0 text-left wrap-anywhere"
      aria-label={`Open ${name}`}
      disabled={pending}
      onClick={() => switchTo(id)}
    >
      {name}
      {pending && <Spinner />}
    </Button>
  );
}
