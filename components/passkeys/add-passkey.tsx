"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { PasskeyFailureNote } from "@/components/passkeys/passkey-failure";
import { PasskeyNameField } from "@/components/passkeys/passkey-name-field";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { apiFetch } from "@/lib/client/api-fetch";
import { createPasskey } from "@/lib/client/passkeys";
import { describeDevice } from "@/lib/identity/sessions/describe-device";

export type AddPasskeyProps = { onAdded: () => void };

/** Asks for a name, creates a passkey on this device and adds it to the user's sign-in. */
export function AddPasskey({ onAdded, trigger }: AddPasskeyProps & LoadedPopup) {
  const [name, setName] = useState(() => describeDevice(navigator.userAgent));
  const add = useMutation<unknown, Error>({
    mutationFn: async () => {
      const passkey = await createPasskey();
      return apiFetch("/api/session/passkeys", { method: "POST", body: { name: name.trim(), passkey } });
    },
    onSuccess: () => {
      onOpenChange(false);
      onAdded();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setName(describeDevice(navigator.userAgent));
    add.reset();
  }, true);

  function submit(event: FormEvent): void {
    event.preventDefault();
    add.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>Add a passkey</DialogTitle>
            <DialogDescription>
              Your device asks for your fingerprint, face or screen lock. Nothing secret leaves the device.
            </DialogDescription>
          </DialogHeader>
          <PasskeyFailureNote title="The passkey was not added" failure={add.error} />
          <PasskeyNameField value={name} onChange={setName} />
          <DialogFooter>
            <Button type="submit" disabled={name.trim() === "" || add.isPending}>
              {add.isPending && <Spinner />}
              Continue
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
