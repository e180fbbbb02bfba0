"use client";

import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { LinkMark } from "@/components/data/link-mark";
import { untilLoaded } from "@/components/data/until-loaded";
import {
  findPage,
  type NavigationGroup,
  type NavigationPage,
  navigationFor,
} from "@/components/shell/navigation";
import { useCurrentAccount, useMay } from "@/components/shell/rights";
import { TrunklineMark } from "@/components/shell/trunkline-mark";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";

const NearMissBadge = dynamic(
  () => untilLoaded(async () => (await import("@/components/opt-outs/near-miss-badge")).NearMissBadge),
  { loading: () => null },
);
const SHOWS_NEAR_MISSES = ["/opt-outs", "/opt-outs/near-misses"];

type SidebarProps = {
  collapsed?: boolean;
  onNavigate?: () => void;
  /** Pages above all others, which are then folded. */
  first?: NavigationPage[];
};

/** The logo and navigation, used expanded, collapsed to icons, and in the sheet of narrow screens. */
export function Sidebar({ collapsed = false, onNavigate, first = [] }: SidebarProps) {
  const may = useMay();
  const all = navigationFor(may, useCurrentAccount().environment);
  const pinned = all.flatMap(({ pages }) => pages.filter(({ isPinned }) => isPinned));
  const groups = all.map((group) => ({ ...group, pages: group.pages.filter(({ isPinned }) => !isPinned) }));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        className={cn("flex h-(--header-height) shrink-0 items-center px-3", collapsed && "justify-center")}
      >
        <Link
          href="/"
          onClick={onNavigate}
          className="flex items-center gap-2 rounded-md px-1.5 py-1 text-sidebar-accent-foreground"
        >
          <TrunklineMark className="size-5.5" />
          <span className={cn("font-semibold text-[0.9375rem] tracking-tight", collapsed && "sr-only")}>
            Trunkline
          </span>
        </Link>
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
        <div className="flex flex-1 flex-col gap-4 overflow-y-auto px-3 py-2">
          {first.length > 0 ? (
            <>
              <PageLinks pages={first} collapsed={collapsed} onNavigate={onNavigate} />
              <details className="group/all flex flex-col">
                <summary className="flex h-10 cursor-pointer items-center gap-1 rounded-md px-2 text-muted-foreground text-sm">
                  <ChevronRight
                    aria-hidden="true"
                    className="size-4 transition-transform group-open/all:rotate-90"
                  />
                  All pages
                </summary>
                <div className="flex flex-col gap-4 pt-2">
                  <PageGroups groups={groups} collapsed={collapsed} onNavigate={onNavigate} />
                </div>
              </details>
            </>
          ) : (
            <PageGroups groups={groups} collapsed={collapsed} onNavigate={onNavigate} />
          )}
        </div>
        <div className="border-sidebar-border border-t px-3 py-2">
          <PageLinks pages={pinned} collapsed={collapsed} onNavigate={onNavigate} />
        </div>
      </nav>
    </div>
  );
}

type LinksProps = { collapsed: boolean; onNavigate: (() => void) | undefined };

function PageGroups({ groups, ...links }: LinksProps & { groups: NavigationGroup[] }) {
  return groups.map(({ label, pages }) => (
    <div key={label ?? "top"} className="flex flex-col gap-1">
      {label &&
        (links.collapsed ? (
          <div aria-hidden="true" className="mx-2 mb-1 h-px bg-sidebar-border" />
        ) : (
          <p className="px-2 pb-0.5 text-muted-foreground text-xs">{label}</p>
        ))}
      <PageLinks pages={pages} {...links} />
    </div>
  ));
}

function PageLinks({ pages, ...links }: LinksProps & { pages: NavigationPage[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {pages.map((page) => (
        <li key={page.href}>
          <SidebarLink page={page} {...links} />
        </li>
      ))}
    </ul>
  );
}

type SidebarLinkProps = LinksProps & { page: NavigationPage };

function SidebarLink({ page, collapsed, onNavigate }: SidebarLinkProps) {
  const pathname = usePathname();
  const active = findPage(pathname) === page || (page.href === pathname && page.href !== "/");
  const Icon = page.icon;
  const link = (
    <Link
      href={page.href}
      onClick={onNavigate}
      aria-current={active ? "page" : undefined}
      className={cn(
        "relative flex h-8 items-center gap-2.5 rounded-md px-2 font-medium text-[0.8125rem] text-sidebar-foreground transition-colors hover:bg-sidebar-accent/70 hover:text-sidebar-accent-foreground focus-visible:outline-offset-0 pointer-coarse:h-10",
        "before:absolute before:inset-y-2 before:-left-3 before:w-0.5 before:rounded-r-full before:bg-transparent",
        active && "bg-sidebar-accent text-sidebar-accent-foreground before:bg-brand",
        collapsed && "justify-center px-0",
      )}
    >
      <Icon
        aria-hidden="true"
        strokeWidth={1.9}
        className={cn("size-4 shrink-0", active && "text-brand-text")}
      />
      <span className={cn(collapsed && "sr-only")}>{page.label}</span>
      {SHOWS_NEAR_MISSES.includes(page.href) && <NearMissBadge collapsed={collapsed} />}
      <LinkMark />
    </Link>
  );
  if (!collapsed) return link;
  return (
    <Tooltip>
      <TooltipTrigger asChild>{link}</TooltipTrigger>
      <TooltipContent side="right">{page.label}</TooltipContent>
    </Tooltip>
  );
}
