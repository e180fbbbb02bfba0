"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { AddCurrency } from "@/components/agent-payments/add-currency";
import { CurrencyLimits } from "@/components/agent-payments/currency-limits";
import {
  hasValidAmounts,
  type Limits,
  type LimitTexts,
  limitsOf,
  newLimit,
  toSettings,
} from "@/components/agent-payments/limits";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { AgentPaySettings } from "@/lib/payments/agent-payments/agent-pay-settings";

type LimitsFormProps = { initial: AgentPaySettings; currencies: string[]; mayManage: boolean };

/** The spending limits of agents: amounts by currency, and allowed merchants. */
export function LimitsForm({ initial, currencies, mayManage }: LimitsFormProps) {
  const [fields, setFields] = useState(limitsOf(initial));
  const change = (part: Partial<Limits>) => setFields((known) => ({ ...known, ...part }));
  const save = useMutation<AgentPaySettings, ApiFailure>({
    mutationFn: () => apiFetch("/api/agent-payments/settings", { method: "PATCH", body: toSettings(fields) }),
    onSuccess: (settings) => {
      setFields(limitsOf(settings));
      toast.success("Limits saved");
    },
  });
  const taken = fields.currencies.map(({ currency }) => currency);

  function changeLimit(currency: string | null, part: Partial<LimitTexts>): void {
    const put = (limit: Limits["currencies"][number]) =>
      limit.currency === currency ? { ...limit, ...part } : limit;
    change({ currencies: fields.currencies.map(put) });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <form onSubmit={submit} className="max-w-3xl rounded-xl border bg-card p-5 shadow-xs">
      <fieldset disabled={!mayManage} className="flex min-w-0 flex-col gap-5">
        <legend className="sr-only">Limits</legend>
        <p className="text-[0.8125rem] text-muted-foreground leading-relaxed">
          Limits apply to cards created after you save. A day starts at midnight UTC. A customer's first
          payment always requires the passkey.
        </p>
        {fields.currencies.map((limit) => (
          <CurrencyLimits
            key={limit.currency}
            limit={limit}
            isOnly={fields.currencies.length === 1}
            onChange={(part) => changeLimit(limit.currency, part)}
            onRemove={
              mayManage && limit.currency !== null
                ? () => change({ currencies: fields.currencies.filter((other) => other !== limit) })
                : undefined
            }
          />
        ))}
        {mayManage && (
          <AddCurrency
            currencies={currencies.filter((code) => !taken.includes(code))}
            onAdd={(currency) => change({ currencies: [newLimit(currency, fields), ...fields.currencies] })}
          />
        )}
        <Merchants merchants={fields.merchants} onChange={(merchants) => change({ merchants })} />
        <FailureNote title="The limits were not saved" failure={save.error} />
        {mayManage && (
          <Button type="submit" className="w-fit" disabled={save.isPending || !hasValidAmounts(fields)}>
            {save.isPending && <Spinner />}
            Save
          </Button>
        )}
      </fieldset>
    </form>
  );
}

type MerchantsProps = { merchants: string; onChange: (merchants: string) => void };

function Merchants({ merchants, onChange }: MerchantsProps) {
  return (
    <Field>
      <FieldLabel>Merchants</FieldLabel>
      <FieldControl>
        <Textarea
          rows={5}
          spellCheck={false}
          dir="auto"
          value={merchants}
          onChange={(event) => onChange(event.target.value)}
        />
      </FieldControl>
      <FieldDescription>
        One host name or merchant name per line, for example harbor.example or Harbor Kitchen. A host name
        includes its subdomains. Leave empty to allow any merchant.
      </FieldDescription>
    </Field>
  );
}
