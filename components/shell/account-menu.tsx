"use client";

import { Building2, Check } from "lucide-react";
import Link from "next/link";
import { AccountBadge } from "@/components/data/account-badge";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { AccountMark } from "@/components/shell/account-mark";
import { useMay } from "@/components/shell/rights";
import type { ShellAccount, ShellPartner } from "@/components/shell/shell-types";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

export type AccountChoice = {
  partner: ShellPartner;
  accounts: ShellAccount[];
  currentAccountId: string;
  pending: boolean;
  onSelect: (accountId: string) => void;
};

/** The accounts of the account switcher, without archived ones, which the page of accounts opens. */
export function AccountMenu(props: AccountChoice & LoadedPopup) {
  const { partner, accounts, currentAccountId, pending, onSelect, trigger } = props;
  const may = useMay();
  const shown = accounts.filter(({ id, archivedAt }) => archivedAt === null || id === currentAccountId);
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-72">
        <DropdownMenuLabel>{partner.name}</DropdownMenuLabel>
        {shown.map((account) => (
          <DropdownMenuItem
            key={account.id}
            aria-current={account.id === currentAccountId ? "true" : undefined}
            disabled={pending}
            onSelect={() => account.id !== currentAccountId && onSelect(account.id)}
          >
            <Check className={account.id === currentAccountId ? "text-foreground" : "invisible"} />
            <AccountMark name={account.name} color={account.color} isArchived={account.archivedAt !== null} />
            <span className="min-w-0 flex-1 truncate">{account.name}</span>
            <AccountBadge kind="environment" value={account.environment} />
          </DropdownMenuItem>
        ))}
        {may("manage_accounts") && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem asChild>
              <Link href="/settings/accounts">
                <Building2 />
                Manage accounts
              </Link>
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
