"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { ErrorNote } from "@/components/data/error-note";
import { TextField } from "@/components/payments/text-field";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import type { AgentPaySettings } from "@/lib/agent-payments/agent-pay-settings";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const CAPS = [
  { name: "perPayment", label: "Most of one payment", note: "Empty is no cap." },
  {
    name: "perDay",
    label: "Most of one customer a day",
    note: "Of each currency, by UTC day. Empty is no cap.",
  },
  { name: "approvalAbove", label: "Passkey above", note: "A connection's first payment always asks for it." },
] as const;

type Limits = Record<(typeof CAPS)[number]["name"], string> & { merchants: string };

function limitsOf(settings: AgentPaySettings): Limits {
  return {
    perPayment: String(settings.max_per_payment_cents ?? ""),
    perDay: String(settings.max_per_handle_day_cents ?? ""),
    approvalAbove: String(settings.approval_above_cents),
    merchants: settings.merchant_allow_list.join("\n"),
  };
}

/** How much agents may spend, and where. */
export function LimitsForm({ initial, mayManage }: { initial: AgentPaySettings; mayManage: boolean }) {
  const [fields, setFields] = useState(limitsOf(initial));
  const change = (part: Partial<Limits>) => setFields((known) => ({ ...known, ...part }));
  const save = useMutation<AgentPaySettings, ApiFailure>({
    mutationFn: () => apiFetch("/api/agent-payments/settings", { method: "PATCH", body: toBody(fields) }),
    onSuccess: (settings) => {
      setFields(limitsOf(settings));
      toast.success("The limits are saved");
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <form onSubmit={submit} className="max-w-2xl rounded-xl border bg-card p-5 shadow-xs">
      <fieldset disabled={!mayManage} className="flex min-w-0 flex-col gap-5">
        <legend className="sr-only">Limits</legend>
        <p className="text-[0.8125rem] text-muted-foreground">
          Amounts are in minor units, as in the API: 10000 is $100.00 and ¥10,000. They hold for cards made
          from now on.
        </p>
        {CAPS.map(({ name, label, note }) => (
          <TextField
            key={name}
            label={label}
            type="number"
            min={0}
            max={100_000_000}
            required={name === "approvalAbove"}
            className="w-48 text-right tabular-nums"
            note={note}
            value={fields[name]}
            onChange={(text) => change({ [name]: text })}
          />
        ))}
        <Field>
          <FieldLabel>Merchants</FieldLabel>
          <FieldControl>
            <Textarea
              rows={5}
              spellCheck={false}
              placeholder={"harbor.example\nHarbor Kitchen"}
              value={fields.merchants}
              onChange={(event) => change({ merchants: event.target.value })}
            />
          </FieldControl>
          <FieldDescription>
            A host or a name a line; a host covers its subdomains. Empty allows any merchant.
          </FieldDescription>
        </Field>
        {save.error && (
          <ErrorNote title="Not saved" code={save.error.code} traceId={save.error.traceId}>
            {save.error.message}
          </ErrorNote>
        )}
        {mayManage && (
          <Button type="submit" className="w-fit" disabled={save.isPending}>
            {save.isPending && <Spinner />}
            Save
          </Button>
        )}
      </fieldset>
    </form>
  );
}

function toBody({ perPayment, perDay, approvalAbove, merchants }: Limits): AgentPaySettings {
  const cap = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    max_per_payment_cents: cap(perPayment),
    max_per_handle_day_cents: cap(perDay),
    approval_above_cents: Number(approvalAbove),
    merchant_allow_list: merchants
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  };
}
