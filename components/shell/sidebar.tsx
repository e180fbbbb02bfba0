"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { NearMissBadge } from "@/components/opt-outs/near-miss-badge";
import { findPage, type NavigationPage, navigationFor } from "@/components/shell/navigation";
import { useEnvironment, useMay } from "@/components/shell/rights";
import { TrunklineMark } from "@/components/shell/trunkline-mark";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";

type SidebarProps = { collapsed?: boolean; onNavigate?: () => void };

/** The logo and navigation, used expanded, collapsed to icons, and in the sheet of narrow screens. */
export function Sidebar({ collapsed = false, onNavigate }: SidebarProps) {
  const may = useMay();
  const environment = useEnvironment();
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
      <nav aria-label="Main" className="flex flex-col gap-4 overflow-y-auto px-3 py-2">
        {navigationFor(may, environment).map((group) => (
          <div key={group.label ?? "top"} className="flex flex-col gap-1">
            {group.label &&
              (collapsed ? (
                <div aria-hidden="true" className="mx-2 mb-1 h-px bg-sidebar-border" />
              ) : (
                <p className="px-2 pb-0.5 text-muted-foreground text-xs">{group.label}</p>
              ))}
            <ul className="flex flex-col gap-0.5">
              {group.pages.map((page) => (
                <li key={page.href}>
                  <SidebarLink page={page} collapsed={collapsed} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}

type SidebarLinkProps = { page: NavigationPage; collapsed: boolean; onNavigate?: () => void };

function SidebarLink({ page, collapsed, onNavigate }: SidebarLinkProps) {
  const active = findPage(usePathname()) === page;
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
      {page.href === "/opt-outs" && <NearMissBadge collapsed={collapsed} />}
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
