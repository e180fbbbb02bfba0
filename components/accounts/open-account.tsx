"use client";

import { useAccountSwitch } from "@/components/shell/use-account-switch";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Account } from "@/lib/identity/accounts/account";

/** The name of an account, which opens the account in the dashboard. */
export function OpenAccount({ account: { id, name } }: { account: Account }) {
  const { pending, switchTo } = useAccountSwitch((accountId) =>
    apiFetch("/api/session/account", { method: "PUT", body: { account_id: accountId } }),
  );
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
