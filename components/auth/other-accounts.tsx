"use client";

import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

type OtherAccountsProps = { accounts: { id: string; name: string }[] };

/** The accounts that the user can open without a further proof. Renders nothing without any. */
export function OtherAccounts({ accounts }: OtherAccountsProps) {
  async function open(account_id: string): Promise<void> {
    try {
      await apiFetch("/api/session/account", { method: "PUT", body: { account_id } });
      location.assign("/");
    } catch {
      toast.error("The account was not opened", { description: "The server did not respond. Try again." });
    }
  }

  if (accounts.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted-foreground">Or open another account:</p>
      {accounts.map(({ id, name }) => (
        <Button key={id} variant="outline" onClick={() => void open(id)}>
          {name}
        </Button>
      ))}
    </div>
  );
}
