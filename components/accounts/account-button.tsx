"use client";

import { Plus } from "lucide-react";
import type { AccountDialogProps } from "@/components/accounts/account-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/accounts/account-dialog")).AccountDialog;

/** Opens the form of a new account, or of `account`. */
export function AccountButton(props: AccountDialogProps) {
  const { account } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        account === null ? (
          <Button>
            <Plus aria-hidden="true" />
            Create account
          </Button>
        ) : (
          <Button variant="outline" size="sm" aria-label={`Edit ${account.name}`}>
            Edit
          </Button>
        )
      }
    />
  );
}
