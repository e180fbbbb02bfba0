"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { deliveriesKey, webhookKey, webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

const FRESH_MS = 15_000;

type ResumeChatsProps = {
  endpointId: string;
  /** Only this chat; without it, all stopped chats. */
  chatId?: string;
  /** Names the delivery or the chats to readers of a list. */
  about: string;
};

/**
 * Resumes one stopped chat or all of them: retries or skips the delivery that stopped it. Absent while the endpoint is
 * paused or disabled, which ends these deliveries.
 */
export function ResumeChats({ endpointId, chatId, about }: ResumeChatsProps) {
  const queryClient = useQueryClient();
  // The endpoint's own page has it already.
  const { data: endpoint } = useQuery<WebhookSubscriptionView, ApiFailure>({
    queryKey: webhookKey(endpointId),
    queryFn: ({ signal }) => apiFetch(`/api/webhook-subscriptions/${endpointId}`, { signal }),
    staleTime: FRESH_MS,
  });
  const resume = useMutation<{ resumed: number }, ApiFailure, "retry" | "skip">({
    mutationFn: (action) =>
      apiFetch(`/api/webhooks/${endpointId}/resume-chats`, {
        method: "POST",
        body: { action, chat_id: chatId },
      }),
    onSuccess: async ({ resumed }) => {
      toast.success(
        resumed === 1 ? "1 chat is resumed" : `${resumed.toLocaleString("en")} chats are resumed`,
      );
      await Promise.all(
        [webhooksKey, deliveriesKey(endpointId), ["delivery"]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: ({ message }) => toast.error(message),
  });
  if (endpoint?.is_active === false) return null;
  return (
    <span className="inline-flex flex-wrap gap-2">
      <ActionButton
        label="Retry"
        about={about}
        disabled={resume.isPending}
        onAct={() => resume.mutate("retry")}
      />
      <ActionButton
        label="Skip"
        about={about}
        disabled={resume.isPending}
        onAct={() => resume.mutate("skip")}
      />
    </span>
  );
}

type ActionButtonProps = { label: string; about: string; disabled: boolean; onAct: () => void };

function ActionButton({ label, about, disabled, onAct }: ActionButtonProps) {
  return (
    <Button variant="outline" size="sm" disabled={disabled} onClick={onAct}>
      {label}
      <span className="sr-only"> {about}</span>
    </Button>
  );
}
