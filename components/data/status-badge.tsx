import {
  Archive,
  Ban,
  Check,
  CheckCheck,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  CreditCard,
  Eye,
  FlaskConical,
  Globe,
  Hourglass,
  type LucideIcon,
  MessageCircle,
  MessageSquare,
  MessageSquareText,
  Timer,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { Badge, type BadgeVariant } from "@/components/ui/badge";

type StatusStyle = { label: string; variant: BadgeVariant; icon: LucideIcon };

/** The label, color and icon of every status, by type of status. */
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
  line: {
    ACTIVE: { label: "Active", variant: "success", icon: CircleCheck },
    FLAGGED: { label: "Flagged", variant: "destructive", icon: TriangleAlert },
  },
  connection: {
    up: { label: "Up", variant: "success", icon: CircleCheck },
    down: { label: "Down", variant: "warning", icon: Hourglass },
    in_use: { label: "In use", variant: "info", icon: CircleDot },
  },
  card: {
    none: { label: "No card", variant: "neutral", icon: Circle },
    active: { label: "Active", variant: "success", icon: CircleCheck },
    failed: { label: "Rejected", variant: "destructive", icon: CircleX },
  },
  audit: {
    pending: { label: "Running", variant: "info", icon: CircleDot },
    complete: { label: "Complete", variant: "success", icon: CircleCheck },
    error: { label: "Failed", variant: "destructive", icon: CircleX },
  },
  /** Why the recipient of a chat can't or may not want to be messaged. */
  messaging: {
    blocked: { label: "Blocked", variant: "destructive", icon: CircleX },
    opted_out: { label: "Opted out", variant: "destructive", icon: CircleSlash },
    unreachable: { label: "Can't be messaged", variant: "destructive", icon: CircleX },
    near_miss: { label: "May want to stop", variant: "warning", icon: TriangleAlert },
  },
  file: {
    pending: { label: "Pending upload", variant: "warning", icon: Hourglass },
    complete: { label: "Ready", variant: "success", icon: CircleCheck },
    failed: { label: "Failed", variant: "destructive", icon: CircleX },
    deleted: { label: "Deleted", variant: "neutral", icon: CircleSlash },
  },
  token: {
    active: { label: "Active", variant: "success", icon: CircleDot },
    expired: { label: "Expired", variant: "neutral", icon: Timer },
    revoked: { label: "Revoked", variant: "neutral", icon: CircleSlash },
  },
  webhook: {
    waiting: { label: "Waiting", variant: "neutral", icon: Clock },
    delivered: { label: "Delivered", variant: "success", icon: CircleCheck },
    failed: { label: "Failed", variant: "destructive", icon: CircleX },
    skipped: { label: "Skipped", variant: "neutral", icon: CircleSlash },
  },
  endpoint: {
    active: { label: "Active", variant: "success", icon: CircleDot },
    failing: { label: "Failing", variant: "warning", icon: TriangleAlert },
    paused: { label: "Paused", variant: "neutral", icon: CirclePause },
    disabled: { label: "Disabled", variant: "destructive", icon: CircleX },
  },
  replay: {
    running: { label: "Running", variant: "info", icon: CircleDot },
    paused: { label: "Paused", variant: "warning", icon: CirclePause },
    done: { label: "Done", variant: "success", icon: CircleCheck },
    canceled: { label: "Canceled", variant: "neutral", icon: CircleSlash },
  },
  payment: {
    requested: { label: "Requested", variant: "info", icon: Clock },
    processing: { label: "Processing", variant: "warning", icon: Hourglass },
    succeeded: { label: "Paid", variant: "success", icon: CircleCheck },
    canceled: { label: "Canceled", variant: "neutral", icon: CircleSlash },
    expired: { label: "Expired", variant: "neutral", icon: Timer },
  },
  refund: {
    pending: { label: "Refund pending", variant: "warning", icon: Hourglass },
    succeeded: { label: "Refunded", variant: "neutral", icon: Undo2 },
    failed: { label: "Refund failed", variant: "destructive", icon: CircleX },
  },
  dispute: {
    needs_response: { label: "Needs response", variant: "destructive", icon: CircleAlert },
    under_review: { label: "Under review", variant: "warning", icon: Hourglass },
    won: { label: "Won", variant: "success", icon: CircleCheck },
    lost: { label: "Lost", variant: "destructive", icon: CircleX },
    closed: { label: "Closed", variant: "neutral", icon: CircleSlash },
  },
  agentPayment: {
    needs_connection: { label: "Needs connection", variant: "neutral", icon: Clock },
    connecting: { label: "Connecting", variant: "info", icon: CircleDot },
    awaiting_user_action: { label: "Awaiting customer", variant: "warning", icon: Hourglass },
    ready: { label: "Card ready", variant: "info", icon: CreditCard },
    authorized: { label: "Authorized", variant: "info", icon: Check },
    succeeded: { label: "Paid", variant: "success", icon: CircleCheck },
    declined: { label: "Declined", variant: "destructive", icon: CircleX },
    canceled: { label: "Canceled", variant: "neutral", icon: CircleSlash },
    expired: { label: "Expired", variant: "neutral", icon: Timer },
  },
  consent: {
    pending: { label: "Code sent", variant: "warning", icon: Hourglass },
    connected: { label: "Connected", variant: "success", icon: CircleCheck },
    revoked: { label: "Revoked", variant: "neutral", icon: CircleSlash },
  },
  provider: {
    ready: { label: "Ready", variant: "success", icon: CircleCheck },
    onboarding: { label: "Setup incomplete", variant: "warning", icon: Hourglass },
    disabled: { label: "Not connected", variant: "neutral", icon: CircleSlash },
  },
  stream: {
    live: { label: "Live", variant: "success", icon: CircleDot },
    paused: { label: "Paused", variant: "neutral", icon: Circle },
    reconnecting: { label: "Reconnecting", variant: "warning", icon: CircleAlert },
    searched: { label: "Search results", variant: "neutral", icon: Circle },
  },
  optOut: {
    open: { label: "Opted out", variant: "destructive", icon: Ban },
    ended: { label: "Ended", variant: "neutral", icon: CircleCheck },
  },
  process: {
    live: { label: "Live", variant: "success", icon: CircleCheck },
    silent: { label: "No report", variant: "neutral", icon: CircleSlash },
  },
  queue: {
    current: { label: "Current", variant: "success", icon: CircleCheck },
    behind: { label: "Behind", variant: "destructive", icon: CircleAlert },
  },
  environment: {
    sandbox: { label: "Sandbox", variant: "warning", icon: FlaskConical },
    production: { label: "Production", variant: "default", icon: Globe },
  },
  account: {
    active: { label: "Active", variant: "success", icon: CircleCheck },
    expired: { label: "Expired", variant: "neutral", icon: Timer },
    archived: { label: "Archived", variant: "neutral", icon: Archive },
  },
} satisfies Record<string, Record<string, StatusStyle>>;

type StatusKind = keyof typeof statusStyles;
export type StatusOf<Kind extends StatusKind> = keyof (typeof statusStyles)[Kind] & string;
export type Service = StatusOf<"service">;

type StatusBadgeProps = {
  [Kind in StatusKind]: { kind: Kind; value: StatusOf<Kind>; className?: string };
}[StatusKind];

function styleOf({ kind, value }: StatusBadgeProps): StatusStyle {
  const looks: Record<string, StatusStyle> = statusStyles[kind];
  return looks[value] ?? { label: value, variant: "neutral", icon: Circle };
}

/** A status as text, icon and color, so that color is never the only cue. */
export function StatusBadge(props: StatusBadgeProps) {
  const { label, variant, icon: Icon } = styleOf(props);
  return (
    <Badge variant={variant} className={props.className}>
      <Icon aria-hidden="true" className="size-3" />
      {label}
    </Badge>
  );
}

/** The statuses of one type as filter options: all, or those given. */
export function statusOptions<Kind extends keyof typeof statusStyles>(
  kind: Kind,
  statuses = Object.keys(statusStyles[kind]) as (keyof (typeof statusStyles)[Kind] & string)[],
): { value: string; label: string }[] {
  const looks: Record<string, StatusStyle> = statusStyles[kind];
  return statuses.map((value) => ({ value, label: looks[value]?.label ?? value }));
}
