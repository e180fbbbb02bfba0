import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { cn } from "@/lib/cn";
import type { Notice } from "@/lib/identity/notices/notice";

const LOOKS = {
  critical: { icon: CircleAlert, rank: 0, label: "Critical", className: "text-destructive-text" },
  warning: { icon: TriangleAlert, rank: 1, label: "Warning", className: "text-warning" },
  info: { icon: Info, rank: 2, label: "Information", className: "text-info" },
} satisfies Record<Notice["severity"], { icon: LucideIcon; rank: number; label: string; className: string }>;

/** The severity of a notice as an icon. */
export function NoticeSeverity({ severity }: Pick<Notice, "severity">) {
  const { icon: Icon, label, className } = LOOKS[severity];
  return (
    <>
      <Icon aria-hidden="true" className={cn("size-4 shrink-0", className)} />
      <span className="sr-only">{label}: </span>
    </>
  );
}

/** Orders notices by severity, the most severe first. */
export function bySeverity(left: Pick<Notice, "severity">, right: Pick<Notice, "severity">): number {
  return LOOKS[left.severity].rank - LOOKS[right.severity].rank;
}
