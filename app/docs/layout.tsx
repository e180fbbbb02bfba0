import Link from "next/link";
import type { ReactNode } from "react";
import { DocsMenu } from "@/components/docs/docs-menu";
import { DocsNav } from "@/components/docs/docs-nav";
import { DocsSearch } from "@/components/docs/docs-search";
import { ThemeButton } from "@/components/docs/theme-button";
import { TrunklineMark } from "@/components/shell/trunkline-mark";
import { Button } from "@/components/ui/button";
import { readNavigation } from "@/lib/runtime/docs/read-navigation";

export const metadata = { title: { default: "Documentation", template: "%s · Trunkline docs" } };

export default function DocsLayout({ children }: { children: ReactNode }) {
  const groups = readNavigation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b bg-background">
        <div className="mx-auto flex h-(--header-height) max-w-7xl items-center gap-1 px-2 sm:px-6">
          <DocsMenu groups={groups} />
          <Link href="/docs" className="flex items-center gap-2 rounded-md font-semibold tracking-tight">
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
      <div className="mx-auto flex w-full max-w-7xl flex-1 gap-10 px-4 sm:px-6">
        <aside aria-label="Pages" className="hidden w-52 shrink-0 lg:block">
          <div className="sticky top-(--header-height) h-[calc(100dvh-var(--header-height))] overflow-y-auto py-8">
            <DocsNav groups={groups} />
          </div>
        </aside>
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 py-8 focus-visible:outline-none sm:py-10">
          {children}
        </main>
      </div>
    </div>
  );
}
