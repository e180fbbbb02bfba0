"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { FilterSelect } from "@/components/data/fields/filter-select";
import { TypeFilter } from "@/components/events/type-filter";
import { TimeRange } from "@/components/list/time-range";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ReplayFields } from "@/components/webhooks/replays/replay-fields";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";

type ReplayFilterFieldsProps = {
  fields: ReplayFields;
  open: boolean;
  groups: EventGroupChoice[];
  lines: { id: string; phone_number: string }[];
  onChange: (part: Partial<ReplayFields>) => void;
};

/** Filters a replay by time, line, chat, event data and type. */
export function ReplayFilterFields({ fields, open, groups, lines, onChange }: ReplayFilterFieldsProps) {
  const [shown, setShown] = useState(open);
  if (!shown) {
    return (
      <Button variant="ghost" size="sm" className="w-fit" onClick={() => setShown(true)}>
        <ChevronDown aria-hidden="true" />
        Filter by time, type, line, chat or event data
      </Button>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <TimeRange from={fields.from} to={fields.to} onChange={onChange} />
        <FilterSelect
          name="Line"
          all="All lines"
          value={fields.line_id}
          options={lines.map(({ id, phone_number }) => ({ value: id, label: phone_number }))}
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
