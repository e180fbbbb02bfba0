"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { linesKey } from "@/components/lines/lines-key";
import { OptionSelect } from "@/components/settings/option-select";
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
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** The lines that the user may add to the account. */
export type LineOffer = {
  /** The kinds of simulated lines, with their effects; empty where no line can be simulated. */
  kinds: { name: string; effect: string }[];
  /** The transports of real lines; empty for users who are not operators. */
  transports: { name: string; label: string }[];
};

const SIMULATED = "simulated";
const SIMULATION = { name: SIMULATED, label: "Simulated" };
const TYPES = [
  { value: "iMessage", label: "iMessage" },
  { value: "RCS", label: "RCS" },
];

export type AddLineProps = { offer: LineOffer };

/** Adds a simulated line, or a line of a carrier or a device, to the account. */
export function AddLine({ offer, trigger }: AddLineProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const transports = [...(offer.kinds.length > 0 ? [SIMULATION] : []), ...offer.transports];
  const [transport, setTransport] = useState(transports[0]?.name ?? SIMULATED);
  const [kind, setKind] = useState(offer.kinds[0]?.name ?? "healthy");
  const [type, setType] = useState("iMessage");
  const [number, setNumber] = useState("");
  const isSimulated = transport === SIMULATED;
  const phone_number = number.trim();
  const add = useMutation<{ phone_number: string }, ApiFailure>({
    mutationFn: () =>
      isSimulated
        ? apiFetch("/api/lines/simulated", {
            method: "POST",
            body: { kind, ...(phone_number !== "" && { phone_number }) },
          })
        : apiFetch("/api/lines", { method: "POST", body: { phone_number, line_type: type, transport } }),
    onSuccess: async (line) => {
      onOpenChange(false);
      toast.success(`${line.phone_number} was added`);
      await queryClient.invalidateQueries({ queryKey: linesKey });
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setNumber("");
    add.reset();
  }, true);
  const isReady = (isSimulated || phone_number !== "") && !add.isPending;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) add.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>Add a line</DialogTitle>
            <DialogDescription>
              {isSimulated
                ? "A simulated line sends to simulated phones only."
                : "The line sends after it is connected, on the tab Transport of its page."}
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The line was not added" failure={add.error} />
          {transports.length > 1 && (
            <OptionSelect
              name="Transport"
              description="The vendor or device that carries the messages."
              value={transport}
              choices={transports.map(({ name, label }) => ({ value: name, label }))}
              disabled={add.isPending}
              onChange={setTransport}
            />
          )}
          {isSimulated ? (
            <OptionSelect
              name="Kind"
              description={offer.kinds.find(({ name }) => name === kind)?.effect ?? ""}
              value={kind}
              choices={offer.kinds.map(({ name }) => ({ value: name, label: kindName(name) }))}
              disabled={add.isPending}
              onChange={setKind}
            />
          ) : (
            <OptionSelect
              name="Type"
              description="The best service that the line can send."
              value={type}
              choices={TYPES}
              disabled={add.isPending}
              onChange={setType}
            />
          )}
          <Field>
            <FieldLabel>{isSimulated ? "Number (optional)" : "Number"}</FieldLabel>
            <FieldControl>
              <Input
                type="tel"
                autoComplete="off"
                placeholder="+12025550100"
                value={number}
                onChange={({ target }) => setNumber(target.value)}
              />
            </FieldControl>
            <FieldDescription>
              {isSimulated
                ? "Without a number, the line gets an unused fictional one."
                : "Enter the full number, for example +12025550100. A number belongs to one account of the instance."}
            </FieldDescription>
          </Field>
          <DialogFooter>
            <Button type="submit" disabled={!isReady}>
              {add.isPending && <Spinner />}
              Add line
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function kindName(name: string): string {
  const words = name.replaceAll("_", " ").replace("rcs", "RCS");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
