"use client";

import Link from "next/link";
import { LinkMark } from "@/components/data/link-mark";
import { useCurrentInView } from "@/components/data/use-current-in-view";
import { cn } from "@/lib/cn";

type PageTabsProps = {
  /** Names the group for screen readers. */
  label: string;
  tabs: readonly { id: string; label: string; href: string }[];
  /** The id of the current tab. */
  current: string;
};

/** The tabs of a page, each with its own URL. On a phone they scroll sideways, with the current tab in view. */
export function PageTabs({ label, tabs, current }: PageTabsProps) {
  const list = useCurrentInView(current);

  return (
    <nav
      ref={list}
      aria-label={label}
      className="flex gap-5 border-b [scrollbar-width:none] max-sm:overflow-x-auto max-sm:overflow-y-hidden"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          href={tab.href}
          aria-current={tab.id === current ? "page" : undefined}
          className={cn(
            "relative flex h-9 shrink-0 items-center sm:-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 font-medium text-[0.8125rem] text-muted-foreground transition-colors hover:text-foreground pointer-coarse:h-10",
            tab.id === current && "border-brand text-foreground",
          )}
        >
          {tab.label}
          <LinkMark />
        </Link>
      ))}
    </nav>
  );
}
