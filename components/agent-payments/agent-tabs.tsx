import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "payments", label: "Payments", href: "/agent-payments" },
  { id: "customers", label: "Connected customers", href: "/agent-payments/customers" },
  { id: "limits", label: "Limits", href: "/agent-payments/limits" },
] as const;

/** What agents paid, for whom, and how much they may. */
export function AgentTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Agent payments" tabs={tabs} current={current} />;
}
