import Link from "next/link";
import { cn } from "@/lib/cn";

const tabs = [
  { id: "requests", label: "Requests", href: "/requests" },
  { id: "errors", label: "Errors", href: "/requests/errors" },
] as const;

/** The two views of the request log, each with an address of its own. */
export function RequestTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return (
    <nav aria-label="Request log" className="flex gap-5 border-b">
      {tabs.map(({ id, label, href }) => (
        <Link
          key={id}
          href={href}
          aria-current={id === current ? "page" : undefined}
          className={cn(
            "-mb-px flex h-9 items-center border-transparent border-b-2 px-0.5 font-medium text-[0.8125rem] text-muted-foreground transition-colors hover:text-foreground pointer-coarse:h-10",
            id === current && "border-brand text-foreground",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
