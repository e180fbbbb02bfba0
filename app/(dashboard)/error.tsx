"use client";

import { FailedPage, type FailedPageProps } from "@/components/shell/failed-page";

export default function DashboardError(props: FailedPageProps) {
  return <FailedPage {...props} isInShell />;
}
