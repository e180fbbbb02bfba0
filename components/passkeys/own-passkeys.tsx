"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { AddPasskeyButton } from "@/components/passkeys/add-passkey-button";
import { passkeysKey } from "@/components/passkeys/passkeys-key";
import { RenamePasskeyButton } from "@/components/passkeys/rename-passkey-button";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { UserPasskey } from "@/lib/identity/passkeys/user-passkey";

type Passkeys = { passkeys: UserPasskey[]; blocker: string | null };

/** The user's own passkeys: add, rename and remove them. */
export function OwnPasskeys({ initial }: { initial: Passkeys }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data, error, refetch } = useQuery<Passkeys, ApiFailure>({
    queryKey: passkeysKey,
    queryFn: ({ signal }) => apiFetch("/api/session/passkeys", { signal }),
    initialData: initial,
  });

  function reload(): void {
    void queryClient.invalidateQueries({ queryKey: passkeysKey });
    // The layout knows whether the user has a passkey.
    router.refresh();
  }

  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold text-base">Passkeys</h2>
        <p className="max-w-prose text-muted-foreground text-sm">
          Sign in with your fingerprint, face or screen lock instead of a password. A passkey can't be guessed
          or entered on a fake site.
        </p>
      </div>
      <FailureNote title="This list may be out of date" failure={error} onRetry={() => void refetch()} />
      {data.blocker !== null && (
        <Alert variant="info">
          <Fingerprint aria-hidden="true" />
          <AlertDescription className="text-foreground">
            {data.blocker.charAt(0).toUpperCase() + data.blocker.slice(1)}.
          </AlertDescription>
        </Alert>
      )}
      {data.passkeys.length === 0 ? (
        <EmptyState
          icon={Fingerprint}
          title="No passkeys yet"
          description="Passkeys that you sign in with appear here. Add one for this device or your password manager."
        />
      ) : (
        <ul aria-label="Passkeys" className="divide-y rounded-xl border bg-card shadow-xs">
          {data.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChanged={reload} />
          ))}
        </ul>
      )}
      {data.blocker === null && <AddPasskeyButton onAdded={reload} />}
    </section>
  );
}

type PasskeyRowProps = { passkey: UserPasskey; onChanged: () => void };

function PasskeyRow({ passkey, onChanged }: PasskeyRowProps) {
  const { name, is_synced, created_at, last_used_at } = passkey;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium">{name}</span>
          <Badge variant="neutral">{is_synced ? "Synced" : "This device only"}</Badge>
        </span>
        <span className="text-muted-foreground text-xs">
          Added <Timestamp value={created_at} />
          {", "}
          {last_used_at === null ? "not used yet" : "last used "}
          {last_used_at !== null && <Timestamp value={last_used_at} />}
        </span>
      </div>
      <span className="flex gap-2">
        <RenamePasskeyButton passkey={passkey} onDone={onChanged} />
        <ConfirmAction
          label="Remove"
          name={`Remove ${name}`}
          icon={null}
          title={`Remove the passkey “${name}”?`}
          description="You can no longer sign in with it. The device or password manager keeps its copy until you delete it there."
          confirm="Remove passkey"
          keep="Cancel"
          done="The passkey was removed"
          failed="The passkey was not removed"
          action={() => apiFetch(`/api/session/passkeys/${passkey.id}`, { method: "DELETE" })}
          onDone={onChanged}
        />
      </span>
    </li>
  );
}
