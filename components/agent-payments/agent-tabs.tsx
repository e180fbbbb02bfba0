import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "payments", label: "Payments", href: "/agent-payments" },
  { id: "customers", label: "Connected customers", href: "/agent-payments/customers" },
  { id: "limits", label: "Limits", href: "/agent-payments/limits" },
] as const;

/** The tabs of agent payments: payments, connected customers and limits. */
export function AgentTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Agent payments" tabs={tabs} current={current} />;
}
