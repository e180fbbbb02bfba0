"use client";

import { BookOpen, Menu, PanelLeft } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import { LazyOpen } from "@/components/data/lazy-open";
import { ClockProvider } from "@/components/data/time/clock";
import { untilLoaded } from "@/components/data/until-loaded";
import { useShortcuts } from "@/components/list/use-shortcuts";
import { AccountSwitcher } from "@/components/shell/account-switcher";
import { ConnectionBar } from "@/components/shell/connection-bar";
import { findPage } from "@/components/shell/navigation";
import { LazyPalette } from "@/components/shell/palette/lazy-palette";
import { PaletteButton } from "@/components/shell/palette/palette-button";
import type { PaletteSearch } from "@/components/shell/palette/palette-command";
import type { ShellAccount, ShellPartner, ShellUser } from "@/components/shell/shell-types";
import { Sidebar } from "@/components/shell/sidebar";
import { sidebarCookie } from "@/components/shell/sidebar-cookie";
import { ThemeToggle } from "@/components/shell/theme/theme-toggle";
import { type SwitchAccount, useAccountSwitch } from "@/components/shell/use-account-switch";
import { useHydrationMark } from "@/components/shell/use-hydration-mark";
import { UserMenu } from "@/components/shell/user-menu";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";

const ArchivedBanner = dynamic(
  () => untilLoaded(async () => (await import("@/components/accounts/archived-banner")).ArchivedBanner),
  { loading: () => null },
);
const ShortcutsDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/shell/shortcuts-dialog")).ShortcutsDialog),
  { loading: () => null },
);

export type AppShellProps = {
  user: ShellUser;
  partner: ShellPartner;
  accounts: ShellAccount[];
  currentAccountId: string;
  /** Makes the account the session's current one. False when the user would rather stay. Throws on failure. */
  onSwitchAccount: SwitchAccount;
  onSignOut: () => void | Promise<void>;
  /** The server's time at rendering, RFC 3339; the base of relative times. */
  now: string;
  /** The value of `sidebarCookie` is `collapsed`. */
  sidebarCollapsed?: boolean;
  /** The searches of the command palette. */
  searches: PaletteSearch[];
  /** The open notices in the header. */
  notices?: ReactNode;
  children: ReactNode;
};

/** The frame of every signed-in page: sidebar, top bar, command palette, and the page in `main`. */
export function AppShell(props: AppShellProps) {
  const { user, partner, accounts, currentAccountId, children } = props;
  useHydrationMark();
  const [collapsed, toggleCollapsed] = useSidebarFold(props.sidebarCollapsed ?? false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const current = accounts.find(({ id }) => id === currentAccountId);
  const { pending, switchTo } = useAccountSwitch(props.onSwitchAccount);
  useShortcuts({
    "/": () => focusSearch() || setPaletteOpen(true),
    "?": () => setShortcutsOpen(true),
  });

  return (
    <ClockProvider now={props.now}>
      <SkipLinks />
      <div className="flex min-h-dvh">
        <SidebarColumn collapsed={collapsed} onToggle={toggleCollapsed} />
        <div className="flex min-w-0 flex-1 flex-col">
          <header
            data-environment={current?.environment}
            className="sticky top-0 z-30 flex h-(--header-height) shrink-0 flex-col border-t-3 border-t-primary border-b bg-background data-[environment=sandbox]:border-t-warning-fill print:hidden"
          >
            <div className="flex min-h-0 flex-1 items-center gap-1 px-2 sm:px-4">
              <MenuButton role={user.role} />
              <AccountSwitcher
                partner={partner}
                accounts={accounts}
                currentAccountId={currentAccountId}
                pending={pending}
                onSelect={switchTo}
              />
              <CurrentPage />
              <div className="ml-auto flex shrink-0 items-center gap-0.5 sm:gap-1">
                <PaletteButton onOpen={() => setPaletteOpen(true)} />
                {props.notices}
                <Button variant="ghost" size="icon" asChild className="max-[400px]:hidden">
                  <Link href="/docs" aria-label="Documentation" title="Documentation">
                    <BookOpen />
                  </Link>
                </Button>
                <ThemeToggle />
                <UserMenu user={user} onSignOut={props.onSignOut} />
              </div>
            </div>
            <ConnectionBar />
          </header>
          {current && current.archivedAt !== null && (
            <ArchivedBanner account={current} archivedAt={current.archivedAt} />
          )}
          <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col focus-visible:outline-none">
            {children}
          </main>
        </div>
      </div>
      <LazyPalette
        open={paletteOpen}
        onOpenChange={setPaletteOpen}
        searches={props.searches}
        sources={{
          accounts,
          currentAccountId,
          onSwitchAccount: switchTo,
          onToggleSidebar: toggleCollapsed,
          onShowShortcuts: () => setShortcutsOpen(true),
        }}
      />
      {shortcutsOpen && <ShortcutsDialog onOpenChange={setShortcutsOpen} />}
    </ClockProvider>
  );
}

/** Moves the focus to the search of the page. false = the page has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  return field !== null;
}

const skipLink =
  "-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:translate-y-0";

function SkipLinks() {
  const isChat = /^\/chats\/[^/]+$/.test(usePathname());
  return (
    <>
      <a href="#main" className={skipLink}>
        Skip to content
      </a>
      {isChat && (
        <a href={`#${COMPOSER_FIELD_ID}`} className={skipLink}>
          Skip to message
        </a>
      )}
    </>
  );
}

function useSidebarFold(initial: boolean): [boolean, () => void] {
  const [collapsed, setCollapsed] = useState(initial);

  function toggle(): void {
    const next = !collapsed;
    setCollapsed(next);
    const value = next ? sidebarCookie.collapsed : sidebarCookie.expanded;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
    document.cookie = `${sidebarCookie.name}=${value}; path=/; max-age=31536000; samesite=lax`;
  }

  return [collapsed, toggle];
}

function SidebarColumn({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const label = collapsed ? "Expand sidebar" : "Collapse sidebar";
  return (
    <aside
      aria-label="Sidebar"
      className={cn(
        "hidden shrink-0 border-sidebar-border print:hidden border-r bg-sidebar lg:block",
        collapsed ? "w-14" : "w-58",
      )}
    >
      <div className="sticky top-0 flex h-dvh flex-col">
        <Sidebar collapsed={collapsed} />
        <div className={cn("flex p-3", collapsed && "justify-center")}>
          <Button
            variant="ghost"
            size="icon-sm"
            onClick={onToggle}
            aria-label={label}
            aria-expanded={!collapsed}
            title={label}
            className="text-muted-foreground hover:bg-sidebar-accent"
          >
            <PanelLeft />
          </Button>
        </div>
      </div>
    </aside>
  );
}

const loadSheet = async () => (await import("@/components/shell/navigation-sheet")).NavigationSheet;

function MenuButton({ role }: Pick<ShellUser, "role">) {
  return (
    <LazyOpen
      popup="dialog"
      load={loadSheet}
      props={{ role }}
      trigger={
        <Button variant="ghost" size="icon" aria-label="Open menu" className="lg:hidden">
          <Menu />
        </Button>
      }
    />
  );
}

function CurrentPage() {
  const page = findPage(usePathname());
  if (!page) return null;
  return (
    <div aria-hidden="true" className="hidden items-center gap-2 pl-1 text-muted-foreground md:flex">
      <span>/</span>
      <span className="font-medium text-foreground">{page.label}</span>
    </div>
  );
}
