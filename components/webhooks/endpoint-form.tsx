"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogFooter } from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { EventChoice } from "@/components/webhooks/event-choice";
import { OrderFields, type OrderSettings } from "@/components/webhooks/order-fields";
import { AutomaticReplayField } from "@/components/webhooks/retries/automatic-replay-field";
import { RetryFields } from "@/components/webhooks/retries/retry-fields";
import { RoutingFields, type RoutingHeaders } from "@/components/webhooks/routing-fields";
import { TurnFields } from "@/components/webhooks/turn-fields";
import type { ApiFailure } from "@/lib/client/api-fetch";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";
import type { TurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";

/** The events and lines that can be selected. */
export type EndpointChoices = { groups: EventGroupChoice[]; lines: string[] };

export type EndpointFields = RoutingHeaders &
  OrderSettings & {
    name: string | null;
    target_url: string;
    subscribed_events: string[];
    phone_numbers: string[] | null;
    retry_seconds: number[] | null;
    auto_replay_per_second: number | null;
    turns: TurnSettings | null;
  };

type EndpointFormProps = {
  header: ReactNode;
  submitLabel: string;
  choices: EndpointChoices;
  initial: EndpointFields;
  pending: boolean;
  failure: ApiFailure | null;
  onSubmit: (fields: EndpointFields) => void;
};

/** The form of an endpoint: target URL, events, turns, lines, order, replays, retry schedule and routing headers. */
export function EndpointForm({ header, submitLabel, choices, initial, ...state }: EndpointFormProps) {
  const [fields, setFields] = useState(initial);
  const change = (part: Partial<EndpointFields>) => setFields({ ...fields, ...part });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const lines = fields.phone_numbers ?? [];
    state.onSubmit({
      ...fields,
      name: fields.name?.trim() || null,
      target_url: fields.target_url.trim(),
      phone_numbers: lines.length === 0 ? null : lines,
    });
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      {header}
      <FailureNote title="The endpoint was not saved" failure={state.failure} />
      <Field>
        <FieldLabel>Target URL</FieldLabel>
        <FieldControl>
          <Input
            name="target_url"
            type="url"
            autoComplete="off"
            required
            maxLength={2048}
            placeholder="https://your-server.example/webhooks"
            value={fields.target_url}
            onChange={(event) => change({ target_url: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>
          Trunkline posts events to this URL as signed JSON and retries until the response is 2xx. Add
          ?version= to select a payload version. The default is the account's version.
        </FieldDescription>
      </Field>
      <Field>
        <FieldLabel>Name (optional)</FieldLabel>
        <FieldControl>
          <Input
            name="endpoint_name"
            autoComplete="off"
            maxLength={80}
            placeholder="Order service"
            value={fields.name ?? ""}
            onChange={(event) => change({ name: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>Your team sees the name instead of the host and path.</FieldDescription>
      </Field>
      <EventChoice
        groups={choices.groups}
        chosen={fields.subscribed_events}
        onChange={(subscribed_events) => change({ subscribed_events })}
      />
      {fields.subscribed_events.includes("chat.turn") && (
        <TurnFields turns={fields.turns} onChange={(turns) => change({ turns })} />
      )}
      {choices.lines.length > 0 && (
        <LineChoice
          lines={choices.lines}
          chosen={fields.phone_numbers ?? []}
          onChange={(phone_numbers) => change({ phone_numbers })}
        />
      )}
      <OrderFields order={fields} onChange={change} />
      <AutomaticReplayField
        perSecond={fields.auto_replay_per_second}
        onChange={(auto_replay_per_second) => change({ auto_replay_per_second })}
      />
      <RetryFields ladder={fields.retry_seconds} onChange={(retry_seconds) => change({ retry_seconds })} />
      <RoutingFields headers={fields} onChange={change} />
      <DialogFooter>
        <Button type="submit" disabled={state.pending || fields.subscribed_events.length === 0}>
          {state.pending && <Spinner />}
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}

type LineChoiceProps = { lines: string[]; chosen: string[]; onChange: (lines: string[]) => void };

function LineChoice({ lines, chosen, onChange }: LineChoiceProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">
        Lines{" "}
        <span className="font-normal text-muted-foreground">
          {chosen.length === 0 ? "(all lines, including new ones)" : "(selected lines only)"}
        </span>
      </legend>
      <div className="flex max-h-32 flex-wrap gap-x-5 gap-y-2 overflow-y-auto p-1">
        {lines.map((line) => (
          <div key={line} className="flex items-center gap-2">
            <Checkbox
              id={`${id}${line}`}
              checked={chosen.includes(line)}
              onCheckedChange={(on) =>
                onChange(on === true ? [...chosen, line] : chosen.filter((other) => other !== line))
              }
            />
            <label htmlFor={`${id}${line}`} className="text-sm tabular-nums">
              {line}
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
