import "server-only";
import { sweepOrphans } from "@/lib/attachments/retention/sweep-orphans";
import { countActivity } from "@/lib/events/activity/count-activity";
import { countEarlierLineActivity } from "@/lib/events/activity/count-earlier-line-activity";
import { makeEventPartitions } from "@/lib/events/retention/event-partitions";
import { sweepEvents } from "@/lib/events/retention/sweep-events";
import { sweepExpiredSandboxes } from "@/lib/identity/accounts/sweep-expired-sandboxes";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { recheckSsoSessions } from "@/lib/identity/sso/recheck-sso-sessions";
import { expireTokens } from "@/lib/identity/tokens/expire-tokens";
import { countFailures } from "@/lib/lines/overview/count-failures";
import { countVolumes } from "@/lib/lines/overview/count-volumes";
import { evaluateLines } from "@/lib/lines/reputation/evaluate-lines";
import { expireContent } from "@/lib/messaging/expiry/expire-content";
import { settleHealth } from "@/lib/messaging/health/settle-health";
import { endDueShares } from "@/lib/messaging/locations/end-due-shares";
import { endLoopHolds } from "@/lib/messaging/loops/end-loop-holds";
import { indexMessages } from "@/lib/messaging/search/index-messages";
import { endSnoozes } from "@/lib/messaging/team/end-snoozes";
import { handBackIdleChats } from "@/lib/messaging/team/hand-back-idle-chats";
import { backUpWhenDue } from "@/lib/operations/backup/back-up-when-due";
import { sweepAgentPayments } from "@/lib/payments/agent-payments/sweep-agent-payments";
import { expirePaymentRequests } from "@/lib/payments/requests/expire-payment-requests";
import { env } from "@/lib/platform/env";
import { makeRequestPartitions } from "@/lib/request-log/retention/request-partitions";
import { sweepRequests } from "@/lib/request-log/retention/sweep-requests";
import { resealSecrets } from "@/lib/runtime/jobs/reseal-secrets";
import { settleArchivedAccounts } from "@/lib/runtime/jobs/settle-archived-accounts";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import { sweepConsumers } from "@/lib/webhooks/consumers/sweep-consumers";
import { endOrphanedDeliveries } from "@/lib/webhooks/deliveries/end-orphaned-deliveries";
import { mendQueues } from "@/lib/webhooks/deliveries/mend-queues";
import { monitorEndpoints } from "@/lib/webhooks/endpoints/monitor-endpoints";
import { sweepReplays } from "@/lib/webhooks/replays/sweep-replays";

/** A recurring job. The due work is determined by columns and the platform clock; a schedule only starts the job. */
export interface Schedule {
  /** The key of its row in `schedules`. */
  name: string;
  /** In UTC. */
  cron: string;
  /**
   * Does the work that is due. Stops early when `stop` is aborted; the next run continues. Returns the number of
   * processed items.
   */
  run(stop: AbortSignal): Promise<number>;
  /** Whether the instance's settings need the job. Every instance needs a job without this function. */
  isNeeded?(): boolean;
}

export const SCHEDULES: readonly Schedule[] = [
  { name: "expire-content", cron: "*/5 * * * *", run: expireContent },
  { name: "count-volumes", cron: "*/10 * * * *", run: countVolumes },
  { name: "count-failures", cron: "*/10 * * * *", run: countFailures },
  { name: "sweep-orphans", cron: "17 3 * * *", run: sweepOrphans },
  { name: "sweep-leftovers", cron: "57 3 * * *", run: sweepLeftovers },
  { name: "sweep-expired-sandboxes", cron: "17 * * * *", run: sweepExpiredSandboxes },
  { name: "make-partitions", cron: "*/10 * * * *", run: makePartitions },
  { name: "sweep-requests", cron: "7 * * * *", run: sweepRequests },
  { name: "sweep-replays", cron: "27 * * * *", run: sweepReplays },
  { name: "sweep-consumers", cron: "33 * * * *", run: sweepConsumers },
  { name: "sweep-events", cron: "37 * * * *", run: sweepEvents },
  { name: "end-orphaned-deliveries", cron: "47 * * * *", run: endOrphanedDeliveries },
  { name: "mend-chat-queues", cron: "* * * * *", run: mendQueues },
  { name: "expire-payment-requests", cron: "* * * * *", run: expirePaymentRequests },
  { name: "count-activity", cron: "* * * * *", run: countActivity },
  { name: "count-earlier-line-activity", cron: "* * * * *", run: countEarlierLineActivity },
  { name: "index-messages", cron: "* * * * *", run: indexMessages },
  { name: "end-location-shares", cron: "* * * * *", run: endDueShares },
  { name: "hand-back-chats", cron: "* * * * *", run: handBackIdleChats },
  { name: "end-loop-holds", cron: "* * * * *", run: endLoopHolds },
  { name: "end-snoozes", cron: "* * * * *", run: endSnoozes },
  { name: "settle-archived-accounts", cron: "* * * * *", run: settleArchivedAccounts },
  { name: "settle-health", cron: "* * * * *", run: settleHealth },
  { name: "evaluate-lines", cron: "* * * * *", run: evaluateLines },
  { name: "monitor-endpoints", cron: "*/5 * * * *", run: monitorEndpoints },
  { name: "expire-tokens", cron: "* * * * *", run: expireTokens },
  { name: "recheck-sso-sessions", cron: "* * * * *", run: recheckSsoSessions, isNeeded: hasSingleSignOn },
  { name: "reseal-secrets", cron: "23 3 * * *", run: resealOldSecrets },
  { name: "back-up", cron: "43 * * * *", run: backUpWhenDue, isNeeded: hasBackupFolder },
  { name: "sweep-agent-payments", cron: "* * * * *", run: sweepAgentPayments },
];

async function makePartitions(stop: AbortSignal): Promise<number> {
  return (await makeEventPartitions(stop)) + (await makeRequestPartitions(stop));
}

function hasSingleSignOn(): boolean {
  return singleSignOnName() !== null;
}

function hasBackupFolder(): boolean {
  return env().BACKUP_DIR !== undefined;
}

// Secrets of earlier versions, which are not bound to their rows, and secrets under a key that is no longer the first.
async function resealOldSecrets(stop: AbortSignal): Promise<number> {
  return (await resealSecrets(stop)).resealed;
}
