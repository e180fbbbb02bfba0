"use client";

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { FailureNote } from "@/components/data/failure-note";
import { RecordBadge } from "@/components/data/record-badge";
import { SettingsCard } from "@/components/payment-settings/settings-card";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ListedProvider } from "@/lib/payments/card-providers/list-card-providers";

/** Each text continues "This provider". */
const TEXTS = {
  ready: "creates a card for each agent payment.",
  onboarding: "is not fully set up. Continue the setup to use it.",
  disabled: "is not connected and creates no cards for agent payments.",
};

const STANDS_BY = "is ready. It issues cards after you disconnect the other provider.";

type CardProviderCardProps = { provider: ListedProvider; mayManage: boolean };

/** The provider that issues the cards of agent payments. */
export function CardProviderCard({ provider, mayManage }: CardProviderCardProps) {
  const router = useRouter();
  const { provider: name, label, status, refusal } = provider;
  const path = `/api/agent-payments/providers/${name}`;
  const connect = useMutation<{ hosted_url?: string }, ApiFailure>({
    mutationFn: () => {
      const return_url = `${location.origin}/payments/settings`;
      return apiFetch(path, { method: "POST", body: { return_url } });
    },
    // Without an onboarding URL, the provider is ready: it was connected in another browser in the meantime.
    onSuccess: ({ hosted_url }) =>
      hosted_url === undefined ? router.refresh() : location.assign(hosted_url),
  });

  return (
    <SettingsCard
      title={`Card provider: ${label}`}
      status={<RecordBadge kind="provider" value={status} />}
      actions={
        mayManage &&
        refusal === null &&
        (status === "ready" ? (
          <ConfirmAction
            needsName
            label="Disconnect"
            title={`Disconnect ${label}?`}
            description="This provider issues no new cards for agent payments until you connect it again."
            confirm="Disconnect"
            keep="Keep connected"
            done="Card provider disconnected"
            failed="The card provider was not disconnected"
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
            {status === "onboarding" ? "Continue setup" : "Connect"}
          </Button>
        ))
      }
    >
      <ProviderText {...provider} />
      <FailureNote title="The setup could not be started" failure={connect.error} />
    </SettingsCard>
  );
}

function ProviderText({ status, isUsed, refusal, missing, isPretended }: ListedProvider) {
  const text = status === "ready" && !isUsed ? STANDS_BY : TEXTS[status];
  if (refusal !== null) return <p>Not available: {refusal}.</p>;
  return (
    <>
      <p>
        This provider {text}{" "}
        {isPretended ? "No money moves." : "Cards are funded from this account's Issuing balance at Stripe."}
      </p>
      {status === "onboarding" && missing.length > 0 && (
        <p>Still required: {missing.map((what) => what.replaceAll(/[._]/g, " ")).join(", ")}.</p>
      )}
    </>
  );
}
