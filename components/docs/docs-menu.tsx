"use client";

import { Menu, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { DocsNav } from "@/components/docs/docs-nav";
import { Button } from "@/components/ui/button";
import type { NavigationGroup } from "@/lib/docs/guides/read-navigation";

/** The navigation of narrow screens: a button that shows it below the header. It closes when a page opens. */
export function DocsMenu({ groups }: { groups: NavigationGroup[] }) {
  const path = usePathname();
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isOpen = openOn === path;
  const Icon = isOpen ? X : Menu;
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={isOpen ? "Close menu" : "Open menu"}
        aria-expanded={isOpen}
        aria-controls="docs-menu"
        onClick={() => setOpenOn(isOpen ? null : path)}
        className="lg:hidden"
      >
        <Icon />
      </Button>
      <div
        id="docs-menu"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full h-[calc(100dvh-var(--header-height))] overflow-y-auto border-b bg-background p-4 lg:hidden"
      >
        <DocsNav groups={groups} />
      </div>
    </>
  );
}
