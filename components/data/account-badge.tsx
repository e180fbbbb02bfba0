import { Archive, CircleCheck, FlaskConical, Globe, Timer } from "lucide-react";
import { StyledBadge, type Styles } from "@/components/data/styled-badge";

const accountStyles = {
  environment: {
    sandbox: { label: "Sandbox", variant: "warning", icon: FlaskConical },
    production: { label: "Production", variant: "default", icon: Globe },
  },
  account: {
    active: { label: "Active", variant: "success", icon: CircleCheck },
    expired: { label: "Expired", variant: "neutral", icon: Timer },
    archived: { label: "Archived", variant: "neutral", icon: Archive },
  },
} satisfies Styles;

type AccountKind = keyof typeof accountStyles;
export type AccountStatus<Kind extends AccountKind> = keyof (typeof accountStyles)[Kind] & string;

type AccountBadgeProps = {
  [Kind in AccountKind]: { kind: Kind; value: AccountStatus<Kind>; className?: string };
}[AccountKind];

/** The environment or the status of an account. Apart from those of records, because every page loads only these. */
export function AccountBadge({ kind, value, className }: AccountBadgeProps) {
  return <StyledBadge styles={accountStyles[kind]} value={value} className={className} />;
}
