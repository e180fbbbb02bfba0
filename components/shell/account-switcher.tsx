"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { StatusBadge } from "@/components/data/status-badge";
import { initials } from "@/components/shell/initials";
import type { ShellAccount, ShellPartner } from "@/components/shell/shell-types";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Spinner } from "@/components/ui/spinner";

type AccountSwitcherProps = {
  partner: ShellPartner;
  accounts: ShellAccount[];
  currentAccountId: string;
  pending: boolean;
  onSelect: (accountId: string) => void;
};

/** The current account, with a menu to switch to another account of the partner. */
export function AccountSwitcher(props: AccountSwitcherProps) {
  const { partner, accounts, currentAccountId, pending, onSelect } = props;
  const current = accounts.find(({ id }) => id === currentAccountId);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" className="min-w-0 shrink gap-2 px-1.5" aria-busy={pending}>
          <span
            aria-hidden="true"
            className="flex size-5.5 shrink-0 items-center justify-center rounded-[5px] bg-primary font-semibold text-[0.625rem] text-primary-foreground"
          >
            {initials(partner.name)}
          </span>
          <span className="sr-only">Switch account:</span>
          <span className="hidden truncate sm:inline">{partner.name}</span>
          <span aria-hidden="true" className="hidden text-muted-foreground sm:inline">
            /
          </span>
          <span className="truncate">{current?.name ?? "No account"}</span>
          {current && (
            <span className="inline-flex shrink-0">
              <StatusBadge kind="environment" value={current.environment} />
            </span>
          )}
          {pending ? <Spinner /> : <ChevronsUpDown className="size-3.5! text-muted-foreground" />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-72">
        <DropdownMenuLabel>{partner.name}</DropdownMenuLabel>
        {accounts.map((account) => (
          <DropdownMenuItem
            key={account.id}
            aria-current={account.id === currentAccountId ? "true" : undefined}
            disabled={pending}
            onSelect={() => account.id !== currentAccountId && onSelect(account.id)}
          >
            <Check className={account.id === currentAccountId ? "text-foreground" : "invisible"} />
            <span className="min-w-0 flex-1 truncate">{account.name}</span>
            <StatusBadge kind="environment" value={account.environment} />
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
