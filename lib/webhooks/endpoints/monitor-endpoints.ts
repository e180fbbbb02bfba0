import "server-only";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { checkEndpointHealth } from "@/lib/webhooks/endpoints/health/check-endpoint-health";
import { sweepAttemptCounts } from "@/lib/webhooks/endpoints/health/sweep-attempt-counts";
import { withdrawSecretNotices } from "@/lib/webhooks/endpoints/health/withdraw-secret-notices";
import { startAutomaticReplays } from "@/lib/webhooks/replays/start-automatic-replays";
import { wipeEndedSecrets } from "@/lib/webhooks/signing/wipe-ended-secrets";
import { resumeStoppedReplays } from "@/lib/webhooks/subscriptions/resume-replays";

/**
 * The recurring jobs of webhook endpoints: warnings, disabling, resumed and automatic replays, expired secrets, old
 * counts.
 */
export async function monitorEndpoints(stop: AbortSignal): Promise<number> {
  const checked = await checkEndpointHealth(stop);
  const replayed = (await resumeStoppedReplays(sql, now())) + (await startAutomaticReplays(stop));
  const wiped = (await wipeEndedSecrets()) + (await withdrawSecretNotices());
  return checked + replayed + wiped + (await sweepAttemptCounts(stop));
}
