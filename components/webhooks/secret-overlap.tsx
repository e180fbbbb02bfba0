"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

type SecretOverlapProps = { endpoint: WebhookSubscriptionView; mayManage: boolean };

/** A notice while two signing secrets are valid, with actions that end the overlap; null otherwise. */
export function SecretOverlap({ endpoint, mayManage }: SecretOverlapProps) {
  const queryClient = useQueryClient();
  const { previous_valid_until: until, legacy_signed_by: signedBy } = endpoint.signing_secret_state;
  const switchOver = useMutation<void, ApiFailure, boolean>({
    mutationFn: (end_overlap) =>
      apiFetch(`/api/webhook-subscriptions/${endpoint.id}/switch`, { method: "POST", body: { end_overlap } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
    onError: ({ message }) => toast.error(message),
  });
  if (until === null) return null;

  return (
    <Alert variant="info">
      <KeyRound aria-hidden="true" />
      <AlertTitle>Two signing secrets are valid</AlertTitle>
      <AlertDescription className="text-foreground">
        <p>
          The old secret ends on <Timestamp value={until} format="moment" />. X-Webhook-Signature uses the{" "}
          {signedBy === "previous" ? "old" : "new"} secret.
        </p>
        {mayManage && (
          <div className="mt-1.5 flex flex-wrap gap-2">
            {signedBy === "previous" && (
              <Button
                variant="outline"
                size="sm"
                disabled={switchOver.isPending}
                onClick={() => switchOver.mutate(false)}
              >
                Switch now
              </Button>
            )}
            <Button
              variant="outline"
              size="sm"
              disabled={switchOver.isPending}
              onClick={() => switchOver.mutate(true)}
            >
              End old secret
            </Button>
          </div>
        )}
      </AlertDescription>
    </Alert>
  );
}
