"use client";

import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { PageTabs } from "@/components/data/page-tabs";
import { PageBody } from "@/components/shell/page-body";
import { useMay } from "@/components/shell/rights";
import type { Right } from "@/lib/platform/rights/right";

type SettingsFrameProps = {
  current:
    | "options"
    | "go-to-production"
    | "canned-replies"
    | "v2-chats"
    | "audit-log"
    | "accounts"
    | "people"
    | "security"
    | "sessions";
  /** While the page is loading, for its skeleton. */
  isLoading?: boolean;
  children: ReactNode;
};

type SettingsTab = { id: SettingsFrameProps["current"]; label: string; href: string; right?: Right };

const TABS: SettingsTab[] = [
  { id: "options", label: "Options", href: "/settings" },
  { id: "go-to-production", label: "Go to production", href: "/settings/go-to-production" },
  { id: "canned-replies", label: "Canned replies", href: "/settings/canned-replies" },
  { id: "v2-chats", label: "V2 chats", href: "/settings/v2-chats" },
  { id: "audit-log", label: "Audit log", href: "/settings/audit-log", right: "view_history" },
  { id: "accounts", label: "Accounts", href: "/settings/accounts", right: "manage_accounts" },
  { id: "people", label: "People", href: "/settings/people" },
  { id: "security", label: "Security", href: "/settings/security", right: "manage_people" },
  { id: "sessions", label: "Sign-in and sessions", href: "/settings/sessions" },
];

/** The frame of the settings pages: header, and tabs for the pages the user has rights to. */
export function SettingsFrame({ current, isLoading = false, children }: SettingsFrameProps) {
  const may = useMay();
  const tabs = TABS.filter(({ right }) => right === undefined || may(right));
  const region = isLoading ? { role: "status", "aria-label": "Loading the settings" } : {};
  return (
    <PageBody {...region}>
      <PageHeader
        title="Account settings"
        description="This account's options and audit log, the accounts and people of the partner, and your own sign-in and sessions."
      />
      <PageTabs label="Settings" tabs={tabs} current={current} />
      {children}
    </PageBody>
  );
}
