"use client";

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmDeed } from "@/components/data/confirm-deed";
import { ErrorNote } from "@/components/data/error-note";
import { StatusBadge } from "@/components/data/status-badge";
import { SettingsCard } from "@/components/payment-settings/settings-card";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type ProviderStatus = keyof typeof TEXTS;

/** Each goes on after the provider's name. */
const TEXTS = {
  ready: "makes a card for each agent payment. In a sandbox no money moves.",
  onboarding: "is not set up whole: begin again to finish it.",
  disabled: "is not connected. Agent payments are refused until it is.",
};

type CardProviderCardProps = {
  provider: string;
  /** null = there is none for this account. */
  initial: ProviderStatus | null;
  mayManage: boolean;
};

/** Who makes the cards agents pay with. */
export function CardProviderCard({ provider, initial, mayManage }: CardProviderCardProps) {
  const router = useRouter();
  const path = `/api/agent-payments/providers/${provider}`;
  const connect = useMutation<{ hosted_url: string }, ApiFailure>({
    mutationFn: () => {
      const return_url = `${location.origin}/payments/settings`;
      return apiFetch(path, { method: "POST", body: { return_url } });
    },
    onSuccess: ({ hosted_url }) => location.assign(hosted_url),
  });

  if (initial === null) {
    return (
      <SettingsCard title="Card provider" status={<StatusBadge kind="provider" value="disabled" />}>
        <p>There is no card provider for production accounts yet. Agent payments work in sandbox accounts.</p>
      </SettingsCard>
    );
  }
  return (
    <SettingsCard
      title="Card provider"
      status={<StatusBadge kind="provider" value={initial} />}
      actions={
        mayManage &&
        (initial === "ready" ? (
          <ConfirmDeed
            label="Disconnect"
            title="Disconnect the card provider?"
            description="No new cards are made for agent payments until it is connected again."
            confirm="Disconnect"
            keep="Keep it"
            done="The card provider is disconnected"
            failed="Not disconnected"
            deed={() => apiFetch(path, { method: "DELETE" })}
            onDone={() => router.refresh()}
          />
        ) : (
          <Button
            size="sm"
            disabled={connect.isPending || connect.isSuccess}
            onClick={() => connect.mutate()}
          >
            {connect.isPending ? <Spinner /> : <Link2 aria-hidden="true" />}
            {initial === "onboarding" ? "Begin again" : "Connect"}
          </Button>
        ))
      }
    >
      <p>
        <span className="font-mono text-foreground text-xs">{provider}</span> {TEXTS[initial]}
      </p>
      {connect.error && (
        <ErrorNote title="Not begun" code={connect.error.code} traceId={connect.error.traceId}>
          {connect.error.message}
        </ErrorNote>
      )}
    </SettingsCard>
  );
}
