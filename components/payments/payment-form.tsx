"use client";

import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { AmountFields } from "@/components/payments/amount-fields";
import { MetadataFields } from "@/components/payments/metadata-fields";
import type { PaymentFields } from "@/components/payments/payment-fields";
import { SubscriptionFields } from "@/components/payments/subscription-fields";
import { TextField } from "@/components/payments/text-field";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { type MinorUnits, readAmount } from "@/lib/platform/text/money";

type PaymentFormProps = {
  currencies: readonly string[];
  pending: boolean;
  failure: ApiFailure | null;
  onCreate: (body: Record<string, unknown>) => void;
};

const EMPTY: PaymentFields = {
  mode: "payment",
  amount: "",
  currency: "usd",
  priceId: "",
  quantity: "1",
  description: "",
  customerId: "",
  expiresHours: "24",
  metadata: [],
};

/** The form of a payment request: a one-time payment or a subscription. */
export function PaymentForm({ currencies, pending, failure, onCreate }: PaymentFormProps) {
  const [fields, setFields] = useState(EMPTY);
  const change = (part: Partial<PaymentFields>) => setFields((known) => ({ ...known, ...part }));
  const amount = readAmount(fields.amount, fields.currency);
  const isComplete = fields.mode === "payment" ? amount !== null && amount > 0 : fields.priceId.trim() !== "";

  function submit(event: FormEvent): void {
    event.preventDefault();
    onCreate(toBody(fields, amount));
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>New payment request</DialogTitle>
        <DialogDescription>Creates a payment link. The link is not sent until you send it.</DialogDescription>
      </DialogHeader>
      <FailureNote title="The payment request was not created" failure={failure} />
      <Tabs value={fields.mode} onValueChange={(mode) => change({ mode })} className="gap-4">
        <TabsList aria-label="Payment type">
          <TabsTrigger value="payment">One-time payment</TabsTrigger>
          <TabsTrigger value="subscription">Subscription</TabsTrigger>
        </TabsList>
        <TabsContent value="payment">
          <AmountFields fields={fields} currencies={currencies} onChange={change} />
        </TabsContent>
        <TabsContent value="subscription">
          <SubscriptionFields fields={fields} onChange={change} />
        </TabsContent>
      </Tabs>
      <TextField
        label="Description"
        dir="auto"
        maxLength={500}
        placeholder="Dinner for two"
        note="Shown to the payer above the amount."
        value={fields.description}
        onChange={(description) => change({ description })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Expires in (hours)"
          type="number"
          value={fields.expiresHours}
          onChange={(expiresHours) => change({ expiresHours })}
        />
        <TextField
          label="Customer ID (optional)"
          placeholder="cus_…"
          value={fields.customerId}
          onChange={(customerId) => change({ customerId })}
        />
      </div>
      <MetadataFields metadata={fields.metadata} onChange={(metadata) => change({ metadata })} />
      <DialogFooter>
        <Button type="submit" disabled={pending || !isComplete}>
          {pending && <Spinner />}
          Create request
        </Button>
      </DialogFooter>
    </form>
  );
}

const HOUR_MS = 3_600_000;

function toBody(fields: PaymentFields, amount: MinorUnits | null): Record<string, unknown> {
  const hours = Number(fields.expiresHours);
  const named = fields.metadata.filter(({ name }) => name.trim() !== "");
  const what =
    fields.mode === "payment"
      ? { amount, currency: fields.currency }
      : { price_id: fields.priceId.trim(), quantity: Number(fields.quantity) || 1 };
  return {
    mode: fields.mode,
    ...what,
    ...(fields.description.trim() !== "" && { description: fields.description.trim() }),
    ...(fields.customerId.trim() !== "" && { customer_id: fields.customerId.trim() }),
    ...(hours > 0 && { expires_at: new Date(Date.now() + hours * HOUR_MS).toISOString() }),
    ...(named.length > 0 && {
      metadata: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])),
    }),
  };
}
