import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "endpoints", label: "Endpoints", href: "/webhooks" },
  { id: "consumers", label: "Consumers", href: "/webhooks/consumers" },
] as const;

/** The tabs of the pages of webhooks: the two ways in which programs get events. */
export function WebhookTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Webhooks" tabs={tabs} current={current} />;
}
