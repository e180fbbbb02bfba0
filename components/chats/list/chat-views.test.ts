import { expect, test } from "vitest";
import { offeredViews } from "@/components/chats/list/chat-views";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

/** Counts as the previous release answers them, without a number for My teams. */
const BEFORE = JSON.parse('{"needs_reply":1,"unassigned":0,"mine":0,"snoozed":0,"unread":2}') as InboxCounts;

const labels = (counts: InboxCounts, current: string | null = null) =>
  offeredViews(counts, current).map(({ label }) => label);

test("My teams is offered to members of teams, and not when the answer has no number for it", () => {
  const ofMember = labels({ ...BEFORE, my_teams: 0 });
  expect(ofMember).toContain("My teams");

  const others = ofMember.filter((label) => label !== "My teams");
  expect(labels({ ...BEFORE, my_teams: null })).toEqual(others);
  expect(labels(BEFORE)).toEqual(others);
});

test("the current view is offered in any case, so that a button shows it as pressed", () => {
  expect(labels({ ...BEFORE, my_teams: null }, "my_teams")).toContain("My teams");
});
