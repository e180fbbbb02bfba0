"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { FilterSelect } from "@/components/data/fields/filter-select";
import { TypeFilter } from "@/components/events/type-filter";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { MomentField } from "@/components/webhooks/replays/moment-field";
import type { ReplayFields } from "@/components/webhooks/replays/replay-fields";
import { lineChoices } from "@/lib/client/line-text";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";

type ReplayFilterFieldsProps = {
  fields: ReplayFields;
  open: boolean;
  groups: EventGroupChoice[];
  lines: { id: string; label?: string | undefined; phone_number: string }[];
  onChange: (part: Partial<ReplayFields>) => void;
};

/** Filters a replay by time, line, chat, event data and type. */
export function ReplayFilterFields({ fields, open, groups, lines, onChange }: ReplayFilterFieldsProps) {
  const [shown, setShown] = useState(open);
  const range = <ReplayRange fields={fields} onChange={onChange} />;
  if (!shown) {
    return (
      <div className="flex min-w-0 flex-col gap-2">
        {range}
        <Button variant="ghost" size="sm" className="w-fit" onClick={() => setShown(true)}>
          <ChevronDown aria-hidden="true" />
          Filter by type, line, chat or event data
        </Button>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {range}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FilterSelect
          name="Line"
          all="All lines"
          value={fields.line_id}
          options={lineChoices(lines)}
          onChange={(line_id) => onChange({ line_id })}
        />
        <TypeFilter groups={groups} chosen={fields.types} onChange={(types) => onChange({ types })} />
      </div>
      <Field>
        <FieldLabel>Chat ID</FieldLabel>
        <FieldControl>
          <Input
            placeholder="All chats"
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-xs"
            value={fields.chat_id}
            onChange={(event) => onChange({ chat_id: event.target.value })}
          />
        </FieldControl>
      </Field>
      <Field>
        <FieldLabel>JSON path</FieldLabel>
        <FieldControl>
          <Input
            placeholder={'$.message.parts[*].value like_regex "refund"'}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-xs"
            value={fields.json_path}
            onChange={(event) => onChange({ json_path: event.target.value })}
          />
        </FieldControl>
        <FieldDescription>Only events whose data matches this path.</FieldDescription>
      </Field>
    </div>
  );
}

type ReplayRangeProps = Pick<ReplayFilterFieldsProps, "fields" | "onChange">;

/** The time of the events, in words or as timestamps. */
function ReplayRange({ fields, onChange }: ReplayRangeProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-2">
      <MomentField
        label="From"
        placeholder="yesterday 2pm"
        value={fields.from}
        onChange={(from) => onChange({ from })}
      />
      <MomentField label="To" placeholder="now" value={fields.to} onChange={(to) => onChange({ to })} />
    </div>
  );
}
