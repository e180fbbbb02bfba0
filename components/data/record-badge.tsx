import {
  Ban,
  Check,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  CreditCard,
  Hourglass,
  Timer,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { StyledBadge, type Styles } from "@/components/data/styled-badge";

/** The label, color and icon of the statuses of everything but messages, chats and live logs, by type of record. */
export const recordStyles = {
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
    stopped: { label: "Stopped", variant: "warning", icon: CirclePause },
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
  consumer: {
    unused: { label: "Never polled", variant: "neutral", icon: Circle },
    current: { label: "Up to date", variant: "success", icon: CircleCheck },
    leased: { label: "Processing", variant: "info", icon: CircleDot },
    behind: { label: "Behind", variant: "warning", icon: Hourglass },
    idle: { label: "Not polling", variant: "neutral", icon: CirclePause },
    lost: { label: "Events lost", variant: "destructive", icon: CircleAlert },
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
} satisfies Styles;

type RecordKind = keyof typeof recordStyles;
export type RecordStatus<Kind extends RecordKind> = keyof (typeof recordStyles)[Kind] & string;

type RecordBadgeProps = {
  [Kind in RecordKind]: { kind: Kind; value: RecordStatus<Kind>; className?: string };
}[RecordKind];

/** The status of a record: a line, a payment, a delivery, a token. */
export function RecordBadge({ kind, value, className }: RecordBadgeProps) {
  return <StyledBadge styles={recordStyles[kind]} value={value} className={className} />;
}

/** The statuses of one type of record as filter options: all, or those given. */
export function recordOptions<Kind extends RecordKind>(
  kind: Kind,
  statuses = Object.keys(recordStyles[kind]) as RecordStatus<Kind>[],
): { value: string; label: string }[] {
  const styles: Styles[string] = recordStyles[kind];
  return statuses.map((value) => ({ value, label: styles[value]?.label ?? value }));
}
