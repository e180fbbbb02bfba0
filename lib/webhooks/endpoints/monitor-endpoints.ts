import "server-only";
import { checkEndpointHealth } from "@/lib/webhooks/endpoints/health/check-endpoint-health";
import { sweepAttemptCounts } from "@/lib/webhooks/endpoints/health/sweep-attempt-counts";
import { withdrawSecretNotices } from "@/lib/webhooks/endpoints/health/withdraw-secret-notices";
import { wipeEndedSecrets } from "@/lib/webhooks/signing/wipe-ended-secrets";

/** The recurring jobs of webhook endpoints: warnings, disabling, expired secrets, old counts. */
export async function monitorEndpoints(stop: AbortSignal): Promise<number> {
  const checked = await checkEndpointHealth(stop);
  const wiped = (await wipeEndedSecrets()) + (await withdrawSecretNotices());
  return checked + wiped + (await sweepAttemptCounts(stop));
}
