"use client";

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { ErrorNote } from "@/components/data/error-note";
import { RecordBadge } from "@/components/data/record-badge";
import { SettingsCard } from "@/components/payment-settings/settings-card";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { PaymentSettings } from "@/lib/payments/checkout/payment-settings";

type ProcessorCardProps = { settings: PaymentSettings; isSandbox: boolean; mayManage: boolean };

/** The account's card processor and whether it can accept charges. */
export function ProcessorCard({ settings, isSandbox, mayManage }: ProcessorCardProps) {
  const router = useRouter();
  const refusalId = useId();
  const { processor, merchant_id: merchantId, can_charge: canCharge } = settings;
  const connect = useMutation<{ url: string }, ApiFailure>({
    mutationFn: () => apiFetch("/api/processors/stripe/connect", { method: "POST" }),
    onSuccess: ({ url }) => location.assign(url),
  });
  const state = canCharge ? "ready" : processor === null ? "disabled" : "onboarding";

  return (
    <SettingsCard
      title="Card processor"
      status={<RecordBadge kind="provider" value={state} />}
      actions={
        mayManage && (
          <>
            <Button
              size="sm"
              variant={merchantId === null ? "default" : "outline"}
              disabled={settings.connect_refusal !== null || connect.isPending || connect.isSuccess}
              aria-describedby={settings.connect_refusal === null ? undefined : refusalId}
              onClick={() => connect.mutate()}
            >
              {connect.isPending ? <Spinner /> : <Link2 aria-hidden="true" />}
              {merchantId === null ? "Connect Stripe" : "Connect again"}
            </Button>
            {merchantId !== null && (
              <ConfirmAction
                needsName
                label="Disconnect"
                title="Disconnect Stripe?"
                description="New payment requests fail until you connect a processor again, and unopened links can no longer be paid. Cancel requests that payers have already opened first."
                confirm="Disconnect"
                keep="Keep connected"
                done="Stripe disconnected"
                failed="Stripe was not disconnected"
                action={() => apiFetch("/api/processors/stripe/connect", { method: "DELETE" })}
                onDone={() => router.refresh()}
              />
            )}
          </>
        )
      }
    >
      <ProcessorText settings={settings} isSandbox={isSandbox} />
      {mayManage && settings.connect_refusal !== null && (
        <p id={refusalId} className="text-muted-foreground">
          Stripe can't be connected: {settings.connect_refusal}.
        </p>
      )}
      {connect.error && (
        <ErrorNote
          title="The status at Stripe could not be loaded"
          code={connect.error.code}
          traceId={connect.error.traceId}
        >
          {connect.error.message}
        </ErrorNote>
      )}
    </SettingsCard>
  );
}

function ProcessorText({ settings, isSandbox }: Pick<ProcessorCardProps, "settings" | "isSandbox">) {
  const { processor, merchant_id: merchantId, can_charge: canCharge } = settings;
  if (merchantId !== null) {
    return (
      <>
        <p className="flex flex-wrap items-center gap-x-2">
          Paid through {processor === "stripe" ? "Stripe" : processor}, account{" "}
          <CopyableId value={merchantId} label="merchant ID" keep={12} />
        </p>
        {!canCharge && (
          <p>
            The account can't accept charges yet. Complete the setup at Stripe. This page updates
            automatically.
          </p>
        )}
      </>
    );
  }
  return isSandbox ? (
    <p>
      The sandbox processor is always available: payers choose a test card, and no money moves. Connect a
      Stripe test account to test with Stripe's card form.
    </p>
  ) : (
    <p>Connect the Stripe account that receives your payments. Payment requests fail until then.</p>
  );
}
