import type { ReactNode } from "react";
import { DocsHeader } from "@/components/docs/docs-header";
import { DocsMenu } from "@/components/docs/docs-menu";
import { DocsNav } from "@/components/docs/docs-nav";
import { readNavigation } from "@/lib/docs/guides/read-navigation";

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
      <DocsHeader menu={<DocsMenu groups={groups} />} />
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
