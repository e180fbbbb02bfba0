"use client";

import { FailureNote } from "@/components/data/failure-note";
import { AppClips } from "@/components/settings/app-clips";
import { ChosenOptions } from "@/components/settings/chosen-options";
import { OperatorLimits } from "@/components/settings/operator-limits";
import { QuietHours } from "@/components/settings/quiet-hours";
import { useOptions } from "@/components/settings/use-options";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

type OptionsScreenProps = { initial: AccountOptions; checkoutPrefix: string; mayManage: boolean };

/** The account's options, its app clips and the limits set by the operator. */
export function OptionsScreen({ initial, checkoutPrefix, mayManage }: OptionsScreenProps) {
  const { data: options, error, refetch } = useOptions(initial);
  return (
    <>
      {!mayManage && (
        <p className="text-muted-foreground text-sm">Only admins of the partner can change these settings.</p>
      )}
      <FailureNote title="This page may be out of date" failure={error} onRetry={() => void refetch()} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ChosenOptions options={options} mayManage={mayManage} />
        <div className="flex min-w-0 flex-col gap-6">
          <QuietHours hours={options.quiet_hours} mayManage={mayManage} />
          <AppClips
            clips={options.app_clips}
            checkoutClip={options.checkout_clip}
            checkoutPrefix={checkoutPrefix}
            mayManage={mayManage}
          />
          <OperatorLimits options={options} />
        </div>
      </div>
    </>
  );
}
