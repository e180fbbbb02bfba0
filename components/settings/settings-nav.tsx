"use client";

import Link from "next/link";
import { useCurrentInView } from "@/components/data/use-current-in-view";
import { useMay } from "@/components/shell/rights";
import { cn } from "@/lib/cn";
import type { Right } from "@/lib/platform/rights/right";

type SettingsLink = { id: SettingsPage; label: string; href: string; right?: Right };

export type SettingsPage =
  | "options"
  | "go-to-production"
  | "canned-replies"
  | "teams"
  | "v2-chats"
  | "audit-log"
  | "accounts"
  | "people"
  | "security"
  | "sessions"
  | "preferences";

/** The settings by whom they concern. */
const GROUPS: readonly { label: string; links: readonly SettingsLink[] }[] = [
  {
    label: "You",
    links: [
      { id: "sessions", label: "Sign-in and sessions", href: "/settings/sessions" },
      { id: "preferences", label: "Preferences", href: "/settings/preferences" },
    ],
  },
  {
    label: "Account",
    links: [
      { id: "options", label: "Options", href: "/settings" },
      { id: "go-to-production", label: "Go to production", href: "/settings/go-to-production" },
      { id: "canned-replies", label: "Canned replies", href: "/settings/canned-replies" },
      { id: "teams", label: "Teams", href: "/settings/teams" },
      { id: "v2-chats", label: "V2 chats", href: "/settings/v2-chats" },
      { id: "audit-log", label: "Audit log", href: "/settings/audit-log", right: "view_history" },
    ],
  },
  {
    label: "Partner",
    links: [
      { id: "accounts", label: "Accounts", href: "/settings/accounts", right: "manage_accounts" },
      { id: "people", label: "People", href: "/settings/people" },
      { id: "security", label: "Security", href: "/settings/security", right: "manage_people" },
    ],
  },
];

/** The settings pages that the user has rights to: a column, and on narrow screens a line that scrolls sideways. */
export function SettingsNav({ current }: { current: SettingsPage }) {
  const may = useMay();
  const list = useCurrentInView(current);
  const groups = GROUPS.map(({ label, links }) => ({
    label,
    links: links.filter(({ right }) => right === undefined || may(right)),
  }));
  return (
    <nav
      ref={list}
      aria-label="Settings"
      className="flex gap-5 self-start border-b max-lg:overflow-x-auto max-lg:overflow-y-hidden lg:sticky lg:top-20 lg:flex-col lg:border-b-0"
    >
      {groups.map(({ label, links }) => (
        <div key={label} className="flex shrink-0 items-center gap-3 lg:flex-col lg:items-stretch lg:gap-0.5">
          <p id={`settings-${label}`} className="text-muted-foreground text-xs lg:px-2 lg:pb-1">
            {label}
          </p>
          <ul aria-labelledby={`settings-${label}`} className="flex gap-4 lg:flex-col lg:gap-0.5">
            {links.map(({ id, label: name, href }) => (
              <li key={id}>
                <Link
                  href={href}
                  aria-current={id === current ? "page" : undefined}
                  className={cn(
                    "flex h-9 items-center whitespace-nowrap font-medium text-[0.8125rem] text-muted-foreground transition-colors hover:text-foreground pointer-coarse:h-10",
                    "max-lg:border-transparent max-lg:border-b-2 max-lg:px-0.5 lg:h-8 lg:rounded-md lg:px-2 lg:hover:bg-accent",
                    id === current && "text-foreground max-lg:border-brand lg:bg-accent",
                  )}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
