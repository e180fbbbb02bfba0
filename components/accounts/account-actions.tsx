"use client";

import { Archive } from "lucide-react";
import { AccountButton } from "@/components/accounts/account-button";
import { RestoreAccount } from "@/components/accounts/restore-account";
import { useAccountsChanged } from "@/components/accounts/use-accounts-changed";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Account } from "@/lib/identity/accounts/account";

/** Edits an account, and archives or restores it after a confirmation. */
export function AccountActions({ account }: { account: Account }) {
  const changed = useAccountsChanged();
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <AccountButton account={account} />
      {account.archived_at === null ? (
        <ConfirmAction
          needsName
          account={{ name: account.name, environment: account.type }}
          label="Archive"
          name={`Archive ${account.name}`}
          icon={<Archive aria-hidden="true" />}
          title={`Archive ${account.name}?`}
          description="Requests with its API tokens fail with 2005, its lines stop, and messages that wait fail. Webhook endpoints get the events until now. Inbound messages are still stored, so that opt-outs count, and open payment requests can still be paid. You can restore the account."
          confirm="Archive account"
          keep="Cancel"
          done={`${account.name} was archived`}
          failed="The account was not archived"
          action={() => apiFetch(`/api/accounts/${account.id}/archive`, { method: "POST" })}
          onDone={() => void changed()}
        />
      ) : (
        <RestoreAccount account={account} />
      )}
    </div>
  );
}
