import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "requests", label: "Requests", href: "/requests" },
  { id: "errors", label: "Errors", href: "/requests/errors" },
] as const;

/** The two views of the request log. */
export function RequestTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Request log" tabs={tabs} current={current} />;
}
