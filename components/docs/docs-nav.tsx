"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/lib/cn";
import type { NavigationGroup } from "@/lib/docs/guides/read-navigation";

type DocsNavProps = { groups: NavigationGroup[] };

/** The navigation of the documentation. The current page is the one whose path is the longest match. */
export function DocsNav({ groups }: DocsNavProps) {
  const path = usePathname();
  const current = currentPage(groups, path);
  return (
    <nav aria-label="Documentation" className="flex flex-col gap-5 text-[0.8125rem]">
      {groups.map(({ title, pages }) => (
        <div key={title} className="flex flex-col gap-1">
          <p className="px-2 font-medium">{title}</p>
          <ul className="flex flex-col">
            {pages.map((page) => (
              <li key={page.href}>
                <Link
                  href={page.href}
                  prefetch={false}
                  aria-current={page.href === current ? "page" : undefined}
                  className={cn(
                    "block rounded-md px-2 py-1 text-muted-foreground hover:bg-muted hover:text-foreground pointer-coarse:py-2",
                    page.href === current && "bg-muted font-medium text-foreground",
                  )}
                >
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function currentPage(groups: NavigationGroup[], path: string): string | undefined {
  return groups
    .flatMap(({ pages }) => pages.map(({ href }) => href))
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .sort((left, right) => right.length - left.length)[0];
}
