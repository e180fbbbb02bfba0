import type { ReactNode } from "react";
import { PageHeader } from "@/components/data/page-header";
import { SettingsNav, type SettingsPage } from "@/components/settings/settings-nav";
import { PageBody } from "@/components/shell/page-body";

type SettingsFrameProps = {
  current: SettingsPage;
  /** While the page is loading, for its skeleton. */
  isLoading?: boolean;
  children: ReactNode;
};

/** The frame of the settings pages: header, and links to the pages the user has rights to. */
export function SettingsFrame({ current, isLoading = false, children }: SettingsFrameProps) {
  const region = isLoading ? { role: "status", "aria-label": "Loading the settings" } : {};
  return (
    <PageBody {...region}>
      <PageHeader
        title="Settings"
        description="Your own sign-in, this account, and the accounts and people of the partner."
      />
      <div className="grid min-w-0 gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10">
        <SettingsNav current={current} />
        <div className="flex min-w-0 flex-col gap-6">{children}</div>
      </div>
    </PageBody>
  );
}
