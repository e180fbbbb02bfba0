"use client";

import { Archive } from "lucide-react";
import { RestoreAccount } from "@/components/accounts/restore-account";
import { Timestamp } from "@/components/data/time/timestamp";
import { useMay } from "@/components/shell/rights";
import type { ShellAccount } from "@/components/shell/shell-types";

type ArchivedBannerProps = { account: ShellAccount; archivedAt: string };

/** Above every page of an archived account: why nothing can be changed, and how to restore the account. */
export function ArchivedBanner({ account, archivedAt }: ArchivedBannerProps) {
  const may = useMay();
  return (
    <section
      aria-label="Archived account"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-muted px-4 py-2 text-sm sm:px-6 print:hidden"
    >
      <Archive aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{account.name}</span> was archived <Timestamp value={archivedAt} />. Its
        API tokens are rejected, its lines are stopped, and its pages are read-only.
      </p>
      {may("manage_accounts") && <RestoreAccount account={account} />}
    </section>
  );
}
