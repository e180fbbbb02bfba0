"use client";

import { type FormEvent, useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { OptionSelect } from "@/components/settings/option-select";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

type NewTokenFormProps = {
  pending: boolean;
  failure: ApiFailure | null;
  onGenerate: (token: NewToken) => void;
};

export type NewToken = {
  name: string;
  expires_in_days: number | null;
  scopes: string[];
  allowed_addresses: string[];
};

const EXPIRIES = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 365 days" },
  { value: "never", label: "Never" },
];

const ACCESS = [
  { value: "all", label: "Full access" },
  { value: "messaging", label: "Messaging only" },
  { value: "payments", label: "Payments only" },
  { value: "read_only", label: "Read-only" },
];

/** The name and limits of a new token. */
export function NewTokenForm({ pending, failure, onGenerate }: NewTokenFormProps) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [access, setAccess] = useState("all");
  const [addresses, setAddresses] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    onGenerate({
      name: name.trim(),
      expires_in_days: expiry === "never" ? null : Number(expiry),
      scopes: access === "all" ? [] : [access],
      allowed_addresses: addresses.split(/[\s,]+/).filter((address) => address !== ""),
    });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Generate an API token</DialogTitle>
        <DialogDescription>A token acts for this account through the API.</DialogDescription>
      </DialogHeader>
      {failure && (
        <ErrorNote title="No token was generated" code={failure.code} traceId={failure.traceId}>
          {failure.message}
        </ErrorNote>
      )}
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input
            name="name"
            autoComplete="off"
            required
            maxLength={80}
            placeholder="Booking server"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </FieldControl>
        <FieldDescription>
          The program or person it is for, so that you know what breaks when you revoke it.
        </FieldDescription>
      </Field>
      <OptionSelect
        name="Expires"
        description="Trunkline notifies you 7 days and 1 day before."
        value={expiry}
        choices={EXPIRIES}
        disabled={pending}
        onChange={setExpiry}
      />
      <OptionSelect
        name="Access"
        description="Requests outside the token's access fail with 403."
        value={access}
        choices={ACCESS}
        disabled={pending}
        onChange={setAccess}
      />
      <Field>
        <FieldLabel>Allowed IP addresses</FieldLabel>
        <FieldControl>
          <Input
            name="allowed_addresses"
            autoComplete="off"
            placeholder="Any address"
            value={addresses}
            onChange={(event) => setAddresses(event.target.value)}
          />
        </FieldControl>
        <FieldDescription>
          Optional. IP addresses or CIDRs separated by commas, for example 192.0.2.0/24.
        </FieldDescription>
      </Field>
      <DialogFooter>
        <Button type="submit" disabled={pending || name.trim() === ""}>
          {pending && <Spinner />}
          Generate
        </Button>
      </DialogFooter>
    </form>
  );
}
