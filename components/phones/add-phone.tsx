"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { phoneRequests } from "@/components/phones/phone-requests";
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
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ApiFailure } from "@/lib/client/api-fetch";
import type { Phone } from "@/lib/simulator/phone";

export type AddPhoneProps = { onAdded: (handle: string) => void };

/** Adds a simulated phone, or shows the existing one with the same handle. */
export function AddPhone({ onAdded, trigger }: AddPhoneProps & LoadedPopup) {
  const [name, setName] = useState("");
  const [handle, setHandle] = useState("");
  const add = useMutation<Phone, ApiFailure>({
    mutationFn: () => phoneRequests(handle.trim()).change(name.trim() === "" ? {} : { name: name.trim() }),
    onSuccess: (phone) => {
      onAdded(phone.handle);
      setIsOpen(false);
    },
  });
  const [isOpen, setIsOpen] = useFreshDialog(() => {
    setName("");
    setHandle("");
    add.reset();
  }, true);

  function submit(event: FormEvent): void {
    event.preventDefault();
    add.mutate();
  }

  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-md">
        <form onSubmit={submit} className="flex flex-col gap-4">
          <DialogHeader>
            <DialogTitle>Add a phone</DialogTitle>
            <DialogDescription>
              A simulated person with a phone. The numbers +1 555 555 0100 to 0199 are reserved for fiction.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The phone could not be added" failure={add.error} />
          <Field>
            <FieldLabel>Number or email address</FieldLabel>
            <FieldControl>
              <Input
                value={handle}
                required
                placeholder="+15555550123"
                autoComplete="off"
                onChange={({ target }) => setHandle(target.value)}
              />
            </FieldControl>
            <FieldDescription>In E.164 format, or an email address.</FieldDescription>
          </Field>
          <Field>
            <FieldLabel>Name</FieldLabel>
            <FieldControl>
              <Input value={name} autoComplete="off" onChange={({ target }) => setName(target.value)} />
            </FieldControl>
          </Field>
          <DialogFooter>
            <Button type="submit" disabled={handle.trim() === "" || add.isPending}>
              Add phone
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
