"use client";

import { ChevronsUpDown } from "lucide-react";
import { AccountBadge } from "@/components/data/account-badge";
import { LazyOpen } from "@/components/data/lazy-open";
import { AccountMark } from "@/components/shell/account-mark";
import type { AccountChoice } from "@/components/shell/account-menu";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

const load = async () => (await import("@/components/shell/account-menu")).AccountMenu;

/** The current account, with a menu to switch to another account of the partner. */
export function AccountSwitcher(props: AccountChoice) {
  const { partner, accounts, currentAccountId, pending } = props;
  const current = accounts.find(({ id }) => id === currentAccountId);
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button variant="ghost" className="min-w-0 shrink gap-2 px-1.5 max-sm:h-11" aria-busy={pending}>
          {current && (
            <AccountMark name={current.name} color={current.color} isArchived={current.archivedAt !== null} />
          )}
          <span className="sr-only">Switch account:</span>
          <span className="hidden truncate sm:inline">{partner.name}</span>
          <span aria-hidden="true" className="hidden text-muted-foreground sm:inline">
            /
          </span>
          {/* On a phone, the environment is below the name, which has little room. */}
          <span className="flex min-w-0 flex-col items-start gap-px sm:flex-row sm:items-center sm:gap-2">
            <span className="max-w-full truncate max-sm:text-[0.8125rem] max-sm:leading-4">
              {current?.name ?? "No account"}
            </span>
            {current && (
              <span className="inline-flex shrink-0 gap-1">
                <AccountBadge
                  kind="environment"
                  value={current.environment}
                  className="max-sm:px-1.5 max-sm:py-0 max-sm:text-[0.6875rem]"
                />
                {current.archivedAt !== null && (
                  <AccountBadge kind="account" value="archived" className="hidden sm:inline-flex" />
                )}
              </span>
            )}
          </span>
          {pending ? <Spinner /> : <ChevronsUpDown className="size-3.5! text-muted-foreground" />}
        </Button>
      }
    />
  );
}
