"use client";

import { KeyRound } from "lucide-react";
import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { SessionNotice } from "@/lib/identity/sessions/session-notice";

type CredentialAlertProps = { notice: SessionNotice; onDismiss: () => void };

/** Shows a change of the user's credentials that was made in another session. */
export function CredentialAlert({ notice, onDismiss }: CredentialAlertProps) {
  return (
    <div className="px-4 pt-4 sm:px-6">
      <Alert variant="warning">
        <KeyRound aria-hidden="true" />
        <AlertTitle className="tracking-normal">{titleOf(notice)}</AlertTitle>
        <AlertDescription className="text-foreground">
          <p>
            <Timestamp value={notice.at} /> from {notice.device}
            {notice.address === null ? "" : `, ${notice.address}`}. If this wasn't you, sign out everywhere
            and change your password.
          </p>
          <div className="mt-1.5 flex flex-wrap gap-2">
            <Button asChild variant="outline" size="sm">
              <Link href="/settings/sessions">View your sign-in</Link>
            </Button>
            <Button variant="outline" size="sm" onClick={onDismiss}>
              Dismiss
            </Button>
          </div>
        </AlertDescription>
      </Alert>
    </div>
  );
}

function titleOf({ type, name }: SessionNotice): string {
  if (type === "passkey_added") return `The passkey “${name}” was added to your sign-in`;
  if (type === "passkey_copied")
    return `The passkey “${name}” may have been copied: remove it and add a new one`;
  if (type === "passkey_removed") return `The passkey “${name}” was removed from your sign-in`;
  return "Your password was removed";
}
