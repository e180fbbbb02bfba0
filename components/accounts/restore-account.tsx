"use client";

import { ArchiveRestore } from "lucide-react";
import { useAccountsChanged } from "@/components/accounts/use-accounts-changed";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Restores an archived account after a confirmation. */
export function RestoreAccount({ account }: { account: { id: string; name: string } }) {
  const changed = useAccountsChanged();
  return (
    <ConfirmAction
      label="Restore"
      name={`Restore ${account.name}`}
      icon={<ArchiveRestore aria-hidden="true" />}
      title={`Restore ${account.name}?`}
      description="Its API tokens, lines and webhook endpoints work again. Messages that failed when the account was archived are not sent. Events since then can be replayed."
      confirm="Restore account"
      keep="Cancel"
      done={`${account.name} was restored`}
      failed="The account was not restored"
      isDestructive={false}
      action={() => apiFetch(`/api/accounts/${account.id}/restore`, { method: "POST" })}
      onDone={() => void changed()}
    />
  );
}
