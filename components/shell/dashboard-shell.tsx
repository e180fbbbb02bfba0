"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BookOpen, MessagesSquare } from "lucide-react";
import { useRouter } from "next/navigation";
import { chatTitle } from "@/components/chats/chat-list-item";
import { clearDrafts } from "@/components/composer/use-draft";
import { searchDocs } from "@/components/docs/search-docs";
import { AppShell, type AppShellProps } from "@/components/shell/app-shell";
import type { PaletteCommand } from "@/components/shell/command-palette";
import { RightsProvider } from "@/components/shell/rights";
import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Conversation } from "@/lib/messaging/chats/list-conversations";
import type { Right } from "@/lib/platform/right";

/** Results of the documentation beside the chats in the command palette. */
const DOCS_SHOWN = 5;

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
    const path = `/api/chats${queryString({ search: text, limit: 6 })}`;
    const [{ conversations }, pages] = await Promise.all([
      apiFetch<{ conversations: Conversation[] }>(path, { signal }),
      // The chats are shown even if the index of the documentation could not be loaded.
      searchDocs(text).catch(() => []),
    ]);
    const chats = conversations.map(({ chat }) => ({
      id: chat.id,
      label: chatTitle(chat),
      icon: MessagesSquare,
      hint: chat.service ?? undefined,
      run: () => router.push(`/chats/${chat.id}`),
    }));
    const documents = pages.slice(0, DOCS_SHOWN).map(({ href, title, heading, group }) => ({
      id: href,
      label: heading === "" ? title : `${title}: ${heading}`,
      icon: BookOpen,
      hint: group,
      run: () => router.push(href),
    }));
    return [...chats, ...documents];
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
