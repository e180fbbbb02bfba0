import type { ReactNode } from "react";
import DashboardLayout from "@/app/(dashboard)/layout";
import { hasOpenAccount } from "@/lib/runtime/dashboard/current-session";

/** A URL that no page has: signed-in users keep the header and the navigation, others see the page alone. */
export default async function UnmatchedLayout({ children }: { children: ReactNode }) {
  return (await hasOpenAccount()) ? <DashboardLayout>{children}</DashboardLayout> : children;
}
