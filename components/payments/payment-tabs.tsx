import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "requests", label: "Requests", href: "/payments" },
  { id: "settings", label: "Settings", href: "/payments/settings" },
] as const;

/** Payment requests, and how they are paid and look. */
export function PaymentTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Payment requests" tabs={tabs} current={current} />;
}
