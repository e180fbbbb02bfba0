"use client";

import { ArrowLeftRight, Keyboard, PanelLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { navigationFor } from "@/components/shell/navigation";
import { PAGE_KEYWORDS } from "@/components/shell/palette/page-keywords";
import { actionsFor } from "@/components/shell/palette/palette-actions";
import type { PaletteGroup } from "@/components/shell/palette/palette-command";
import { useCurrentAccount, useMay } from "@/components/shell/rights";
import type { ShellAccount } from "@/components/shell/shell-types";
import { themeChoices } from "@/components/shell/theme/theme-choices";

export type PaletteSources = {
  accounts: ShellAccount[];
  currentAccountId: string;
  onSwitchAccount: (accountId: string) => void;
  onToggleSidebar: () => void;
  onShowShortcuts: () => void;
};

/** The palette's groups on every page: pages, commands and other accounts. */
export function usePaletteGroups(sources: PaletteSources): PaletteGroup[] {
  const router = useRouter();
  const { setTheme } = useTheme();
  const may = useMay();
  const { environment } = useCurrentAccount();

  const pages = navigationFor(may, environment)
    .flatMap((group) => group.pages)
    .map(({ label, href, icon }) => ({
      id: href,
      label,
      icon,
      keywords: PAGE_KEYWORDS[href] ?? [],
      href,
      run: () => router.push(href),
    }));

  const actions = [
    ...actionsFor(may).map(({ right: _, ...action }) => ({
      ...action,
      id: action.label,
      run: () => router.push(action.href),
    })),
    {
      id: "shortcuts",
      label: "Keyboard shortcuts",
      icon: Keyboard,
      hint: "?",
      keywords: ["keys", "help"],
      run: sources.onShowShortcuts,
    },
    {
      id: "toggle-sidebar",
      label: "Collapse or expand the sidebar",
      icon: PanelLeft,
      keywords: ["collapse", "expand", "menu"],
      run: sources.onToggleSidebar,
    },
    ...themeChoices.map(({ id, label, icon }) => ({
      id: `theme-${id}`,
      label: `Theme: ${label.toLowerCase()}`,
      icon,
      keywords: ["appearance", "colour", "color", "mode"],
      run: () => setTheme(id),
    })),
  ];

  const accounts = sources.accounts
    .filter(({ id, archivedAt }) => id !== sources.currentAccountId && archivedAt === null)
    .map((account) => ({
      id: account.id,
      label: `Switch to ${account.name}`,
      icon: ArrowLeftRight,
      hint: account.environment,
      keywords: ["account", "environment"],
      run: () => sources.onSwitchAccount(account.id),
    }));

  return [
    { label: "Go to", commands: pages },
    { label: "Commands", commands: actions },
    { label: "Accounts", commands: accounts },
  ].filter((group) => group.commands.length > 0);
}
