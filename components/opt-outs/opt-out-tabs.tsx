import { PageTabs } from "@/components/data/page-tabs";

const tabs = [
  { id: "opt-outs", label: "Opt-outs", href: "/opt-outs" },
  { id: "near-misses", label: "Near misses", href: "/opt-outs/near-misses" },
] as const;

/** Who has opted out, and who may have meant to. */
export function OptOutTabs({ current }: { current: (typeof tabs)[number]["id"] }) {
  return <PageTabs label="Opt-outs" tabs={tabs} current={current} />;
}
