import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "requests", label: "Requests", href: "/payments" },
  { id: "settings", label: "Settings", href: "/payments/settings" },
] as const;

/** The tabs of payment requests: the requests, and the payment settings. */
export function PaymentTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Payment requests" tabs={tabs} current={current} />;
}
