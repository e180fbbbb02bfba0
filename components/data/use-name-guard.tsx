"use client";

import { type ReactNode, useState } from "react";
import type { CurrentAccount } from "@/components/shell/rights";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type NameGuard = {
  /** Whether the action may run: the name was typed, or none is needed. */
  isPassed: boolean;
  /** The field for the name; null when none is needed. */
  field: ReactNode;
  reset: () => void;
};

/**
 * Guards a destructive action: in a production account, the user types the account's name first, so that production
 * is not mistaken for a sandbox. `account` is null for an action that needs no guard.
 */
export function useNameGuard(account: CurrentAccount | null): NameGuard {
  const [typed, setTyped] = useState("");
  const reset = () => setTyped("");
  if (account === null || account.environment !== "production") return { isPassed: true, field: null, reset };

  return {
    isPassed: typed.trim() === account.name,
    field: <NameField name={account.name} value={typed} onChange={setTyped} />,
    reset,
  };
}

type NameFieldProps = { name: string; value: string; onChange: (value: string) => void };

function NameField({ name, value, onChange }: NameFieldProps) {
  return (
    <Field>
      <FieldLabel className="block leading-relaxed">
        This is a production account. Type its name <strong className="wrap-anywhere">{name}</strong> to
        confirm.
      </FieldLabel>
      <FieldControl>
        <Input
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </FieldControl>
    </Field>
  );
}
