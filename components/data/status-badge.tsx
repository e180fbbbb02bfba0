import {
  Ban,
  Check,
  CheckCheck,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDot,
  CircleSlash,
  CircleX,
  Clock,
  Eye,
  Hourglass,
  MessageCircle,
  MessageSquare,
  MessageSquareText,
  TriangleAlert,
} from "lucide-react";
import { StyledBadge, type Styles } from "@/components/data/styled-badge";

/** The label, color and icon of the statuses of messages, chats and live logs, by type of status. */
export const statusStyles = {
  delivery: {
    pending: { label: "Pending", variant: "neutral", icon: Clock },
    queued: { label: "Queued", variant: "warning", icon: Hourglass },
    sent: { label: "Sent", variant: "info", icon: Check },
    delivered: { label: "Delivered", variant: "success", icon: CheckCheck },
    received: { label: "Received", variant: "neutral", icon: CircleCheck },
    read: { label: "Read", variant: "success", icon: Eye },
    failed: { label: "Failed", variant: "destructive", icon: CircleX },
  },
  service: {
    iMessage: { label: "iMessage", variant: "imessage", icon: MessageCircle },
    RCS: { label: "RCS", variant: "rcs", icon: MessageSquareText },
    SMS: { label: "SMS", variant: "sms", icon: MessageSquare },
  },
  health: {
    HEALTHY: { label: "Healthy", variant: "success", icon: CircleCheck },
    AT_RISK: { label: "At risk", variant: "warning", icon: TriangleAlert },
    CRITICAL: { label: "Critical", variant: "destructive", icon: CircleAlert },
    OPTED_OUT: { label: "Opted out", variant: "neutral", icon: Ban },
  },
  /** Why the recipient of a chat can't or may not want to be messaged. */
  messaging: {
    blocked: { label: "Blocked", variant: "destructive", icon: CircleX },
    opted_out: { label: "Opted out", variant: "destructive", icon: CircleSlash },
    unreachable: { label: "Can't be messaged", variant: "destructive", icon: CircleX },
    near_miss: { label: "May want to stop", variant: "warning", icon: TriangleAlert },
  },
  stream: {
    live: { label: "Live", variant: "success", icon: CircleDot },
    paused: { label: "Paused", variant: "neutral", icon: Circle },
    reconnecting: { label: "Reconnecting", variant: "warning", icon: CircleAlert },
    searched: { label: "Search results", variant: "neutral", icon: Circle },
  },
} satisfies Styles;

type StatusKind = keyof typeof statusStyles;
export type StatusOf<Kind extends StatusKind> = keyof (typeof statusStyles)[Kind] & string;
export type Service = StatusOf<"service">;

type StatusBadgeProps = {
  [Kind in StatusKind]: { kind: Kind; value: StatusOf<Kind>; className?: string };
}[StatusKind];

/** The status of a message, a chat or a live log. Apart from those of records, because chats load only these. */
export function StatusBadge({ kind, value, className }: StatusBadgeProps) {
  return <StyledBadge styles={statusStyles[kind]} value={value} className={className} />;
}
