import { beforeAll, expect, test } from "vitest";
import type { Statement, StatementName } from "@/lib/platform/database/statement";
import { isAcrossAccounts } from "@/lib/testing/database/across-accounts";
import { loadStatements } from "@/lib/testing/database/load-statements";

/**
 * The statements on distributed tables that are not limited to one account given as a parameter, by what a database of
 * several nodes would need (docs/scaling.md). Every other statement goes to the node of its account. every-statement.test.ts
 * looks at the texts that are composed at run time.
 */
const ACROSS_ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  /** Rows of several accounts in one statement, for speed: the statement is called for each account instead. */
  batches: [
    "accept-messages",
    "add-chat-queues",
    "emit-events",
    "mark-refs-final",
    "find-orphaned-files",
    "find-passkey-codes",
    "find-messages-of-receipts",
    "find-messages-deleted-since",
    "lock-endpoints-of-stops",
    "lock-free-chat-queues",
    "lock-free-endpoints-of-stops",
    "pass-turns",
    "receive-texts",
    "record-attempts",
    "release-session-leases",
    "renew-message-leases",
    "share-request-counts",
    "simulator-platforms",
    "simulator-send",
    "simulator-settle",
    "stop-chats",
    "simulator-write",
    "simulator-writers",
    "store-advances",
    "write-requests",
    "write-requests-again",
  ],
  /** One account, which the statement reads from a row of its own: the account is compared with the parameter instead. */
  indirect: ["accept-counted", "accept-locked", "accept-message", "count-volumes", "record-attempt"],
  /** Due work with row locks, which only work on one node: the due accounts are read first, then each is claimed. */
  claims: [
    "claim-actions",
    "claim-audits",
    "claim-awaited-files",
    "claim-delayed-messages",
    "claim-deliveries",
    "claim-due-cards",
    "claim-due-messages",
    "claim-erasures",
    "claim-expired-attachments",
    "claim-line-sessions",
    "claim-messages",
    "claim-stopped-actions",
    "find-ended-loop-holds",
    "find-ended-snoozes",
    "find-idle-holds",
    "find-unsent-of-archived",
    "lines-to-fail-over",
    "next-search-to-sweep",
    "release-replays",
    "settle-health",
    "simulator-claim",
    "suspend-endpoints",
  ],
  /** Schedules that read due rows of every node, and then process each in its account. */
  schedules: [
    "accounts-to-count",
    "accounts-to-index",
    "accounts-with-activity-to-count",
    "accounts-with-failures-to-count",
    "claim-due-turns",
    "close-due-sms-part-sets",
    "due-location-shares",
    "is-message-due-soon",
    "due-payment-requests",
    "find-answering-endpoints",
    "find-idle-agent-payments",
    "find-idle-consumers",
    "find-lost-cards",
    "find-revived-consumer-notices",
    "find-stale-stopped-notices",
    "find-unturned-queues",
    "lines-to-evaluate",
    "read-endpoints",
    "resume-stopped-replays",
    "find-sandboxes-to-warn",
    "dismiss-sandbox-notices",
    "skip-idle-events",
    "find-unreadable-secrets",
  ],
  /** Deletes and updates by age, several with `ctid` or `with`: each node's shards are swept one by one. */
  sweeps: [
    "end-orphaned-deliveries",
    "delete-ended-deliveries",
    "delete-expired-passkey-challenges",
    "sweep-attempt-counts",
    "sweep-replays",
    "wipe-ended-secrets",
  ],
  /** Lookups by an id or secret that is unique in the instance: every node is asked, and one has the row. */
  lookups: [
    "count-pending-deliveries",
    "find-agent-payment",
    "find-checkout",
    "find-onboarding",
    "find-payment-request",
    "find-onboarding-session",
    "lock-onboarding",
    "lock-endpoint",
    "open-attachment",
    "payment-request-by-payment-intent",
    "payment-request-by-subscription",
    "relayed-subscription",
    "get-payment-request-view",
  ],
  /** The log reader of a process follows the events of all accounts in the order of one sequence. */
  log: ["events-after", "last-event", "event-log-bounds", "event-log-end", "first-seq-of-log"],
  /** Commands and metrics of an operator, checks at startup and partitions, which may take long. */
  operation: [
    "find-sample-secrets",
    "disabled-endpoints",
    "first-event-of-range",
    "last-event-of-range",
    "list-attachments-to-back-up",
    "read-queues",
    "read-backup-source",
    "find-accounts-with-payment-requests",
    "find-sealed-messages",
    "unassign-chats-of-removed",
    "leave-teams",
  ],
  /** The platform clock, and settings of sandbox accounts that each process keeps in memory: for tests of partners. */
  testing: ["count-due-work", "find-next-due-work", "is-work-pending", "load-faults", "load-limit-resets"],
};

let statements: readonly Statement<StatementName>[];

beforeAll(async () => {
  statements = [...(await loadStatements()).values()];
});

test("every statement on a distributed table names one account as a parameter, or is listed", () => {
  const across = statements.filter(({ text }) => isAcrossAccounts(text)).map(({ name }) => name);

  expect(across.sort()).toEqual(Object.values(ACROSS_ACCOUNTS).flat().sort());
});

test.each([
  ["select 1 from chats where id = $1", true],
  ["select 1 from chats where account_id = $1 and id = $2", false],
  ["select 1 from lines where id = $1", false],
  ["delete from messages where created_at < $1", true],
  ["insert into contacts as k (account_id, handle) values ($1, $2)", false],
  ["insert into contacts (account_id, handle) select account_id, handle from unnest($1::uuid[]) t", true],
  ["update messages m set x = $2 from unnest($1::uuid[]) h where m.account_id = h.account_id", true],
])("%s: across accounts %s", (text, expected) => {
  expect(isAcrossAccounts(text)).toBe(expected);
});
