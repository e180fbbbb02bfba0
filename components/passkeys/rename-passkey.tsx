"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { PasskeyNameField } from "@/components/passkeys/passkey-name-field";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { UserPasskey } from "@/lib/identity/passkeys/user-passkey";

export type RenamePasskeyProps = { passkey: UserPasskey; onDone: () => void };

/** Renames a passkey. */
export function RenamePasskey({ passkey, onDone, trigger }: RenamePasskeyProps & LoadedPopup) {
  const [name, setName] = useState(passkey.name);
  const save = useMutation<unknown, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/session/passkeys/${passkey.id}`, { method: "PATCH", body: { name: name.trim() } }),
    onSuccess: () => {
      onOpenChange(false);
      onDone();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setName(passkey.name);
    save.reset();
  }, true);

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>Rename the passkey</DialogTitle>
          </DialogHeader>
          <FailureNote title="The passkey was not renamed" failure={save.error} />
          <PasskeyNameField value={name} onChange={setName} />
          <DialogFooter>
            <Button type="submit" disabled={name.trim() === "" || save.isPending}>
              {save.isPending && <Spinner />}
              Save
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
