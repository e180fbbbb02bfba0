"use client";

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/confirm-action";
import { FailureNote } from "@/components/data/failure-note";
import { StatusBadge } from "@/components/data/status-badge";
import { SettingsCard } from "@/components/payment-settings/settings-card";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ListedProvider } from "@/lib/payments/agent-payments/list-card-providers";

/** Each goes on after the provider's name. */
const TEXTS = {
  ready: "makes a card for each agent payment.",
  onboarding: "is not set up whole: go on to finish it.",
  disabled: "is not connected: no agent payment gets a card from it.",
};

const STANDS_BY = "is ready, and makes the cards once the other provider is disconnected.";

type CardProviderCardProps = { provider: ListedProvider; mayManage: boolean };

/** Who makes the cards agents pay with. */
export function CardProviderCard({ provider, mayManage }: CardProviderCardProps) {
  const router = useRouter();
  const { provider: name, label, status, refusal } = provider;
  const path = `/api/agent-payments/providers/${name}`;
  const connect = useMutation<{ hosted_url?: string }, ApiFailure>({
    mutationFn: () => {
      const return_url = `${location.origin}/payments/settings`;
      return apiFetch(path, { method: "POST", body: { return_url } });
    },
    // Without a page to go to it is ready: it was connected elsewhere meanwhile.
    onSuccess: ({ hosted_url }) =>
      hosted_url === undefined ? router.refresh() : location.assign(hosted_url),
  });

  return (
    <SettingsCard
      title={`Card provider: ${label}`}
      status={<StatusBadge kind="provider" value={status} />}
      actions={
        mayManage &&
        refusal === null &&
        (status === "ready" ? (
          <ConfirmAction
            label="Disconnect"
            title={`Disconnect ${label}?`}
            description="It makes no new cards for agent payments until it is connected again."
            confirm="Disconnect"
            keep="Keep it"
            done="The card provider is disconnected"
            failed="Not disconnected"
            action={() => apiFetch(path, { method: "DELETE" })}
            onDone={() => router.refresh()}
          />
        ) : (
          <Button
            size="sm"
            disabled={connect.isPending || connect.isSuccess}
            onClick={() => connect.mutate()}
          >
            {connect.isPending ? <Spinner /> : <Link2 aria-hidden="true" />}
            {status === "onboarding" ? "Go on" : "Connect"}
          </Button>
        ))
      }
    >
      <ProviderText {...provider} />
      <FailureNote title="Not begun" failure={connect.error} />
    </SettingsCard>
  );
}

function ProviderText({ provider, status, isUsed, refusal, missing, isPretended }: ListedProvider) {
  const text = status === "ready" && !isUsed ? STANDS_BY : TEXTS[status];
  if (refusal !== null) return <p>Not available: {refusal}.</p>;
  return (
    <>
      <p>
        <span className="font-mono text-foreground text-xs">{provider}</span> {text}{" "}
        {isPretended
          ? "No money moves."
          : "The cards are paid from this account's Issuing balance at Stripe."}
      </p>
      {status === "onboarding" && missing.length > 0 && (
        <p>Still asked for: {missing.map((what) => what.replaceAll(/[._]/g, " ")).join(", ")}.</p>
      )}
    </>
  );
}
