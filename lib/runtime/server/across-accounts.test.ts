import { beforeAll, expect, test } from "vitest";
import { readListedTables } from "@/lib/testing/database/distribution";
import { readStatements, type StatementSite } from "@/lib/testing/source/sql-statements";

/**
 * The statements on distributed tables that are not limited to one account given as a parameter, by what a database of
 * several nodes would need (docs/scaling.md). Every other statement goes to the node of its account.
 */
const ACROSS_ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  /** Rows of several accounts in one statement, for speed: the statement is called for each account instead. */
  batches: [
    "accept-message.ts#acceptBatched",
    "apply-receipt.ts#selectReported",
    "apply-receipt.ts#endRefs",
    "claim-messages.ts#renewLeases",
    "emit-event.ts#emitEvents",
    "find-conversation.ts#selectPhonesAndLines",
    "limit-requests.ts#shareCounts",
    "probe-phone.ts#select",
    "receive-text.ts#receiveAll",
    "record-attempts.ts#recordAttempt",
    "report-receipts.ts#updateSettled",
    "send-to-phones.ts#insertMessages",
    "sweep-orphans.ts#withoutRow",
    "withdraw-shared-code.ts#selectHaveCode",
    "write-requests.ts#findDeleted",
    "store-advance.ts#store",
    "write-from-phone.ts#insertOnPhones",
    "write-requests.ts#write",
  ],
  /** One account, which the statement reads from a row of its own: the account is compared with the parameter instead. */
  indirect: ["accept-message.ts#acceptOne", "count-volumes.ts#countStep"],
  /** Due work with row locks, which only work on one node: the due accounts are read first, then each is claimed. */
  claims: [
    "claim-actions.ts#claimActions",
    "claim-actions.ts#claimStoppedActions",
    "claim-deliveries.ts#claimDeliveries",
    "claim-statement.ts#claimFrom",
    "delayed-messages.ts#claimDue",
    "fail-over-lines.ts#failOverLines",
    "fail-unsent.ts#failUnsentOfArchived",
    "fetch-files.ts#claimAwaited",
    "hand-back-idle-chats.ts#releaseBatch",
    "has-rows.ts#askAll",
    "keep-sessions.ts#claimAccounts",
    "keep-sessions.ts#releaseLeases",
    "release-replays.ts#releaseReplays",
    "report-receipts.ts#claimDue",
    "settle-archived-accounts.ts#suspendEndpoints",
    "settle-health.ts#settleHealth",
    "sweep-attachments.ts#claimExpired",
    "update-cards.ts#claimCards",
    "work-audits.ts#claimAudits",
    "work-erasures.ts#claimErasures",
  ],
  /** Schedules that read due rows of every node, and then process each in its account. */
  schedules: [
    "check-endpoint-health.ts#readEndpoints",
    "count-activity.ts#findDue",
    "count-failures.ts#countFailures",
    "count-volumes.ts#findDue",
    "end-due-shares.ts#findDue",
    "evaluate-lines.ts#evaluateLines",
    "expire-payment-requests.ts#findDue",
    "find-lost-cards.ts#findLostCards",
    "part-sets.ts#closeDueSets",
    "sweep-agent-payments.ts#expireBatch",
    "warn-expired-sandboxes.ts#warnExpiredSandboxes",
    "withdraw-secret-notices.ts#withdrawSecretNotices",
  ],
  /** Deletes and updates by age, several with `ctid` or `with`: each node's shards are swept one by one. */
  sweeps: [
    "drop-event-partitions.ts#deleteEnded",
    "drop-event-partitions.ts#dropEvents",
    "drop-event-partitions.ts#dropPartition",
    "end-orphaned-deliveries.ts#endOrphanedDeliveries",
    "sweep-agent-payments.ts#sweepAgentPayments",
    "sweep-attempt-counts.ts#sweepAttemptCounts",
    "sweep-events.ts#sweepTable",
    "sweep-leftovers.ts#sweepTable",
    "sweep-replays.ts#sweepReplays",
    "sweep-requests.ts#sweepTable",
    "wipe-ended-secrets.ts#wipeEndedSecrets",
  ],
  /** Lookups by an id or secret that is unique in the instance: every node is asked, and one has the row. */
  lookups: [
    "find-checkout.ts#findCheckout",
    "find-payment-request.ts#findPaymentRequest",
    "find-payment.ts#findPayment",
    "finish-onboarding.ts#findOnboarding",
    "finish-onboarding.ts#finishOnboarding",
    "get-endpoint-stats.ts#countWaiting",
    "lock-endpoint.ts#lockEndpoint",
    "open-attachment.ts#findDownloadable",
    "receive-processor-webhook.ts#findRequest",
    "receive-relayed.ts#findSubscription",
    "return-from-provider.ts#findSession",
    "show-payment-request.ts#showPaymentRequest",
  ],
  /** The log reader of a process follows the events of all accounts in the order of one sequence. */
  log: ["logged-event.ts#lastSeq", "logged-event.ts#logBounds", "logged-event.ts#selectEventsAfter"],
  /** Commands and metrics of an operator, checks at startup, planner statistics and partitions, which may take long. */
  operation: [
    "analyze-grown-tables.ts#analyzeGrownTables",
    "back-up.ts#readAttachments",
    "back-up.ts#readSource",
    "check-encryption-key.ts#checkAnySecret",
    "event-partitions.ts#firstEventOf",
    "event-partitions.ts#lastEventOf",
    "find-conditions.ts#disabledEndpoints",
    "move-counters.ts#moveCountersForward",
    "partitions.ts#addPartition",
    "partitions.ts#detachPartition",
    "partitions.ts#dropTable",
    "read-queues.ts#readQueues",
    "reseal-secrets.ts#resealColumn",
    "reseal-secrets.ts#resealEvents",
    "reseal-secrets.ts#resealPendingMessages",
  ],
  /** The platform clock, and settings of sandbox accounts that each process keeps in memory: for tests of partners. */
  testing: [
    "due-work.ts#countDue",
    "due-work.ts#findNextDue",
    "due-work.ts#isWorkPending",
    "find-fault.ts#loadFaults",
    "limit-resets.ts#loadLimitResets",
    "store-clock.ts#shiftDueTimesBack",
  ],
  /** Composed at run time, from conditions after `account_id = $1`. */
  composed: [
    "account-state.ts#emptyState",
    "chat-conditions.ts#findFilteredChats",
    "find-by-id.ts#findById",
    "list-audit-entries.ts#listAuditEntries",
    "list-chat-health.ts#selectChats",
    "list-deliveries.ts#listDeliveries",
    "list-requests.ts#listRequests",
    "list-thread.ts#listThread",
    "list-webhook-logs.ts#listWebhookLogs",
    "preview-replay.ts#previewReplay",
    "read-rows.ts#readPage",
    "search-attachments.ts#searchAttachments",
    "search-chats.ts#searchChats",
    "search-events.ts#searchEvents",
    "search-payment-requests.ts#searchPaymentRequests",
    "search-payment-requests.ts#totalPaymentRequests",
    "store-replay.ts#holdDeliveries",
    "store-snapshot.ts#insertRows",
    "sweep-expired-sandboxes.ts#emptyAccount",
    "total-of.ts#totalOf",
    "update-account-options.ts#storeOptions",
    "update-agent-pay-settings.ts#storeSettings",
  ],
};

/** Functions that send statements passed to them, or that use PostgreSQL before the schema exists. */
const PLUMBING = /^(bounded-client|database-pool|db|embedded-postgres|migrate)\.ts#/;

const PARAMETER = String.raw`\$\d+`;
const ACCOUNT_IS_GIVEN = [
  String.raw`\baccount_id\s*=\s*(any\(array\[)?${PARAMETER}`,
  String.raw`\((\w+\.)?account_id,[^)]*\)\s*(=|in)\s*\(+${PARAMETER}`,
  String.raw`insert into \w+(\s+as \w+)?\s*\(\s*account_id[^)]*\)\s*(values\s*\(|select)\s*${PARAMETER}`,
].map((pattern) => new RegExp(pattern, "i"));

let distributed: RegExp;
let sites: StatementSite[];

beforeAll(() => {
  const names = readListedTables().flatMap(([name, type]) => (type === "distributed" ? [name] : []));
  distributed = new RegExp(
    String.raw`\b(from|join|into|update|using)\s+(only\s+)?(${names.join("|")})\b`,
    "i",
  );
  sites = readStatements(process.cwd(), ["lib", "app"], { IN_ITS_VERSION: "true" });
});

test("every statement on a distributed table names one account as a parameter, or is listed", () => {
  const across = sites.filter(({ unreadable, texts }) => unreadable !== null || texts.some(isAcrossAccounts));
  const names = across.map(({ site }) => site).filter((site) => !PLUMBING.test(site));

  expect([...new Set(names)].sort()).toEqual(Object.values(ACROSS_ACCOUNTS).flat().sort());
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

/** Reads the text only: a statement counts as limited if it compares the account with a parameter anywhere. */
function isAcrossAccounts(text: string): boolean {
  return distributed.test(text) && !ACCOUNT_IS_GIVEN.some((pattern) => pattern.test(text));
}
