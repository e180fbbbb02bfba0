import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "opt-outs", label: "Opt-outs", href: "/opt-outs" },
  { id: "near-misses", label: "Possible opt-outs", href: "/opt-outs/near-misses" },
] as const;

/** The tabs of the opt-out pages. */
export function OptOutTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Opt-outs" tabs={tabs} current={current} />;
}
