"use client";

import { Plus } from "lucide-react";
import type { AccountDialogProps } from "@/components/accounts/account-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/accounts/account-dialog")).AccountDialog;

type AccountButtonProps = AccountDialogProps & {
  /** Until the page is loaded the button can't be used: the loaded page replaces it, and its form would be lost. */
  isLoaded?: boolean;
};

/** Opens the form of a new account, or of `account`. */
export function AccountButton({ isLoaded = true, ...props }: AccountButtonProps) {
  const { account } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        account === null ? (
          <Button disabled={!isLoaded}>
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
