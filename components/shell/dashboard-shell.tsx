"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { untilLoaded } from "@/components/data/until-loaded";
import { whenIdle } from "@/components/data/when-idle";
import { AppShell, type AppShellProps } from "@/components/shell/app-shell";
import type { PaletteSearch } from "@/components/shell/palette/palette-command";
import { type CurrentAccount, RightsProvider } from "@/components/shell/rights";
import { senderOf } from "@/lib/identity/sessions/sender";
import type { Right } from "@/lib/platform/rights/right";

const TitleCount = dynamic(
  () => untilLoaded(async () => (await import("@/components/shell/title-count")).TitleCount),
  { ssr: false, loading: () => null },
);

type DashboardShellProps = Omit<AppShellProps, "onSignOut" | "onSwitchAccount" | "searches"> & {
  /** The rights the user has in the account. */
  rights: Right[];
};

/** The shell with its client-side parts: sign-out, the user's rights and the searches of the palette. */
export function DashboardShell({ rights, ...shell }: DashboardShellProps) {
  const queryClient = useQueryClient();
  const current = shell.accounts.find(({ id }) => id === shell.currentAccountId);
  const account: CurrentAccount = current ?? {
    name: "",
    environment: "production",
  };
  const router = useRouter();
  const may = (right: Right) => rights.includes(right);
  const sender = senderOf(shell.currentAccountId, shell.user.email);
  useDelivery(may("send_messages") ? sender : null);

  async function leave(): Promise<void> {
    const { signOut } = await import("@/components/shell/sign-out");
    if (await signOut(sender)) queryClient.clear();
  }

  const open = (href: string) => router.push(href);
  const mayFlagLines = may("flag_lines");
  const load = () => import("@/components/shell/palette/search-palette");
  const searches: PaletteSearch[] = [
    {
      label: "Results",
      search: async (text, signal) => (await load()).searchObjects(text, { signal, open, mayFlagLines }),
    },
    {
      label: "Documentation",
      search: async (text, signal) => (await load()).searchPages(text, { signal, open }),
    },
  ];

  return (
    <RightsProvider rights={rights} account={account} sender={sender}>
      <AppShell
        {...shell}
        onSignOut={leave}
        onSwitchAccount={async (id) =>
          (await import("@/components/shell/switch-account")).switchAccount(sender, id)
        }
        searches={searches}
      />
      {may("view_chats") && <TitleCount />}
    </RightsProvider>
  );
}

/** Sends what an earlier page could not send, also after the dashboard is left; null for a user who may not send. */
function useDelivery(sender: string | null): void {
  const router = useRouter();
  useEffect(() => {
    let isOver = false;
    const cancel = whenIdle(() => {
      void untilLoaded(() => import("@/components/composer/start-delivery")).then(({ startDelivery }) => {
        if (!isOver) startDelivery(sender, (path) => router.push(path));
      });
    });
    return () => {
      isOver = true;
      cancel();
    };
  }, [sender, router]);
}
