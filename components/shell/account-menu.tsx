"use client";

import { Check } from "lucide-react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { StatusBadge } from "@/components/data/status-badge";
import type { ShellAccount, ShellPartner } from "@/components/shell/shell-types";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

export type AccountChoice = {
  partner: ShellPartner;
  accounts: ShellAccount[];
  currentAccountId: string;
  pending: boolean;
  onSelect: (accountId: string) => void;
};

/** The accounts of the account switcher. */
export function AccountMenu(props: AccountChoice & LoadedPopup) {
  const { partner, accounts, currentAccountId, pending, onSelect, trigger } = props;
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
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
