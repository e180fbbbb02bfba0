"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { clearDrafts } from "@/components/composer/use-draft";
import { AppShell, type AppShellProps } from "@/components/shell/app-shell";
import type { PaletteCommand } from "@/components/shell/command-palette";
import { RightsProvider } from "@/components/shell/rights";
import { apiFetch } from "@/lib/client/api-fetch";
import type { Right } from "@/lib/platform/right";

type DashboardShellProps = Omit<AppShellProps, "onSignOut" | "onSwitchAccount" | "search"> & {
  /** The rights the user has in the account. */
  rights: Right[];
};

/** The shell with its client-side parts: sign-out, the user's rights and the search of the palette in chats and in the documentation. */
export function DashboardShell({ rights, ...shell }: DashboardShellProps) {
  const queryClient = useQueryClient();
  const current = shell.accounts.find(({ id }) => id === shell.currentAccountId);
  const environment = current?.environment ?? "production";
  const router = useRouter();

  async function leave(): Promise<void> {
    await apiFetch("/api/session", { method: "DELETE" });
    clearDrafts();
    queryClient.clear();
    location.assign("/sign-in");
  }

  async function search(text: string, signal: AbortSignal): Promise<PaletteCommand[]> {
    const { searchPalette } = await import("@/components/shell/search-palette");
    return searchPalette(text, { signal, open: (href) => router.push(href) });
  }

  return (
    <RightsProvider rights={rights} environment={environment}>
      <AppShell {...shell} onSignOut={leave} onSwitchAccount={switchAccount} search={search} />
    </RightsProvider>
  );
}

function switchAccount(accountId: string): Promise<void> {
  return apiFetch("/api/session/account", { method: "PUT", body: { account_id: accountId } });
}
