import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

type ListedView = { view: string | null; label: string; count?: keyof InboxCounts };

/** The views of the chat list: the support agent's first questions first. */
const VIEWS: readonly ListedView[] = [
  { view: null, label: "All" },
  { view: "needs_reply", label: "Needs reply", count: "needs_reply" },
  { view: "mine", label: "Mine", count: "mine" },
  { view: "my_teams", label: "My teams", count: "my_teams" },
  { view: "unassigned", label: "Unassigned", count: "unassigned" },
  { view: "unread", label: "Unread", count: "unread" },
  { view: "snoozed", label: "Snoozed", count: "snoozed" },
  { view: "closed", label: "Closed" },
  { view: "at_risk", label: "At risk" },
  { view: "opted_out", label: "Opted out" },
  { view: "failed", label: "Failed" },
];

/**
 * The views to offer. A view without a number does not exist for the user: the user is in no team, or the previous release
 * has answered. The current view is always offered.
 */
export function offeredViews(counts: InboxCounts, current: string | null): readonly ListedView[] {
  return VIEWS.filter(
    ({ view, count }) => view === current || count === undefined || typeof counts[count] === "number",
  );
}
