"use client";

import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { TimeZoneInput } from "@/components/data/fields/time-zone-input";
import { OptionSelect } from "@/components/settings/option-select";
import { useOptionsChange } from "@/components/settings/use-options";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

type Hours = NonNullable<AccountOptions["quiet_hours"]>;

const OFF = "off";
const ACTIONS = [
  { value: OFF, label: "Off" },
  { value: "hold", label: "Send messages when they end" },
  { value: "refuse", label: "Reject messages (error 2035)" },
];

type QuietHoursProps = { hours: Hours | null; mayManage: boolean };

/** The hours in which programs don't write to people, by the people's clocks. */
export function QuietHours({ hours, mayManage }: QuietHoursProps) {
  const change = useOptionsChange();
  // Edits that were not saved. Otherwise the card shows what the account has, also after a change that failed.
  const [draft, setDraft] = useState<Hours | null>(null);
  const shown = draft ?? hours;
  const disabled = !mayManage || change.isPending;

  function choose(action: string): void {
    if (action === OFF) {
      setDraft(null);
      if (hours !== null) change.mutate({ quiet_hours: null });
      return;
    }
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const first = shown ?? { from: "21:00", to: "08:00", time_zone: zone };
    setDraft({ ...first, action: action === "refuse" ? "refuse" : "hold" });
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    if (draft !== null) change.mutate({ quiet_hours: draft }, { onSuccess: () => setDraft(null) });
  }

  const edit = (to: Partial<Hours>) => shown && setDraft({ ...shown, ...to });
  const isSaved = draft === null || JSON.stringify(draft) === JSON.stringify(hours);
  return (
    <Card>
      <CardHeader>
        <CardTitle>Quiet hours</CardTitle>
        <CardDescription>
          For sends by API tokens, by the clock of each recipient. Answers within an hour of the recipient's
          last message are sent. People see the recipient's time and decide themselves.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <FailureNote title="Quiet hours were not changed" failure={change.error} />
        <OptionSelect
          name="In quiet hours"
          description="A send can ask for something else with quiet_hours."
          value={shown?.action ?? OFF}
          choices={ACTIONS}
          disabled={disabled}
          onChange={choose}
        />
        {shown !== null && (
          <form onSubmit={save} aria-label="Quiet hours" className="flex flex-col gap-5">
            <div className="flex gap-4">
              <Field>
                <FieldLabel>From</FieldLabel>
                <FieldControl>
                  <Input
                    type="time"
                    required
                    disabled={disabled}
                    value={shown.from}
                    onChange={({ target }) => edit({ from: target.value })}
                  />
                </FieldControl>
              </Field>
              <Field>
                <FieldLabel>To</FieldLabel>
                <FieldControl>
                  <Input
                    type="time"
                    required
                    disabled={disabled}
                    value={shown.to}
                    onChange={({ target }) => edit({ to: target.value })}
                  />
                </FieldControl>
              </Field>
            </div>
            <Field>
              <FieldLabel>Default time zone</FieldLabel>
              <FieldControl>
                <TimeZoneInput
                  required
                  disabled={disabled}
                  value={shown.time_zone}
                  onChange={(time_zone) => edit({ time_zone })}
                />
              </FieldControl>
              <FieldDescription>
                For recipients whose number has no time zone, such as email addresses and toll-free numbers.
              </FieldDescription>
            </Field>
            <Button type="submit" className="self-start" disabled={disabled || isSaved}>
              Save quiet hours
            </Button>
          </form>
        )}
      </CardContent>
    </Card>
  );
}
