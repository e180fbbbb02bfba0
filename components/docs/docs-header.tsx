import Link from "next/link";
import type { ReactNode } from "react";
import { DocsSearch } from "@/components/docs/docs-search";
import { ThemeButton } from "@/components/docs/theme-button";
import { TrunklineMark } from "@/components/shell/trunkline-mark";
import { Button } from "@/components/ui/button";

/** The header of the documentation with its search. `menu` is the button of the navigation. */
export function DocsHeader({ menu }: { menu?: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 border-b bg-background">
      <div className="mx-auto flex h-(--header-height) max-w-7xl items-center gap-1 px-2 sm:px-6">
        {menu}
        <Link href="/docs" className="flex items-center gap-2 rounded-md px-2 font-semibold tracking-tight">
          <TrunklineMark className="size-5.5" />
          <span>
            Trunkline <span className="font-normal text-muted-foreground">docs</span>
          </span>
        </Link>
        <div className="ml-auto flex items-center gap-0.5 sm:gap-1">
          <DocsSearch />
          <Button variant="ghost" asChild className="hidden sm:inline-flex">
            <Link href="/" prefetch={false}>
              Dashboard
            </Link>
          </Button>
          <ThemeButton />
        </div>
      </div>
    </header>
  );
}
