import "server-only";
import { checkEndpointHealth } from "@/lib/webhooks/check-endpoint-health";
import { sweepAttemptCounts } from "@/lib/webhooks/sweep-attempt-counts";
import { wipeEndedSecrets } from "@/lib/webhooks/wipe-ended-secrets";
import { withdrawSecretNotices } from "@/lib/webhooks/withdraw-secret-notices";

/** The recurring jobs of webhook endpoints: warnings, disabling, expired secrets, old counts. */
export async function monitorEndpoints(stop: AbortSignal): Promise<number> {
  const checked = await checkEndpointHealth(stop);
  const wiped = (await wipeEndedSecrets()) + (await withdrawSecretNotices());
  return checked + wiped + (await sweepAttemptCounts(stop));
}
