import { Circle, type LucideIcon } from "lucide-react";
import { Badge, type BadgeVariant } from "@/components/ui/badge";

type StatusStyle = { label: string; variant: BadgeVariant; icon: LucideIcon };
/** The styles of each status, by type of status. */
export type Styles = Record<string, Record<string, StatusStyle>>;

type StyledBadgeProps = {
  styles: Record<string, StatusStyle>;
  value: string;
  className?: string | undefined;
};

/** A status as text, icon and color, so that color is never the only cue. A status without a style is shown as it is. */
export function StyledBadge({ styles, value, className }: StyledBadgeProps) {
  const { label, variant, icon: Icon } = styles[value] ?? { label: value, variant: "neutral", icon: Circle };
  return (
    <Badge variant={variant} className={className}>
      <Icon aria-hidden="true" className="size-3" />
      {label}
    </Badge>
  );
}
