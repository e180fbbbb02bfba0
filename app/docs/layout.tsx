import Link from "next/link";
import type { ReactNode } from "react";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { TrunklineMark } from "@/components/shell/trunkline-mark";

export const metadata = { title: { default: "Documentation", template: "%s · Trunkline docs" } };

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b bg-background">
        <div className="mx-auto flex h-(--header-height) max-w-3xl items-center justify-between gap-4 px-4 sm:px-6">
          <Link href="/docs" className="flex items-center gap-2 rounded-md font-semibold tracking-tight">
            <TrunklineMark className="size-5.5" />
            Trunkline docs
          </Link>
          <ThemeToggle />
        </div>
      </header>
      <main className="mx-auto w-full max-w-3xl flex-1 px-4 py-8 sm:px-6 sm:py-10">{children}</main>
    </div>
  );
}
