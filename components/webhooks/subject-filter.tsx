"use client";

import { type FormEvent, useState } from "react";
import { Input } from "@/components/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import {
  type DeliveryFilter,
  type DeliverySubject,
  SUBJECTS,
  subjectOf,
} from "@/components/webhooks/delivery-filter";

const UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

type SubjectFilterProps = {
  filter: DeliveryFilter;
  onChange: (subject: Record<DeliverySubject, string | undefined>) => void;
};

/** Only what is about one event, message or chat, or belongs to one replay. */
export function SubjectFilter({ filter, onChange }: SubjectFilterProps) {
  const subject = subjectOf(filter);
  // The box is made anew when the address holds another id.
  return <SubjectBox key={subject?.id} subject={subject} onChange={onChange} />;
}

type SubjectBoxProps = Pick<SubjectFilterProps, "onChange"> & { subject: ReturnType<typeof subjectOf> };

function SubjectBox({ subject, onChange }: SubjectBoxProps) {
  const [kind, setKind] = useState<DeliverySubject>(subject?.kind ?? "event");
  const [id, setId] = useState(subject?.id ?? "");

  function submit(event: FormEvent): void {
    event.preventDefault();
    const none = { event: undefined, message: undefined, chat: undefined, replay: undefined };
    onChange({ ...none, [kind]: id.trim() || undefined });
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-1 max-sm:w-full">
      <Select value={kind} onValueChange={(chosen) => setKind(isSubject(chosen) ? chosen : "event")}>
        <SelectTrigger size="sm" aria-label="Kind of id">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {Object.entries(SUBJECTS).map(([value, label]) => (
            <SelectItem key={value} value={value}>
              {label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Input
        type="search"
        aria-label={SUBJECTS[kind]}
        title="An id, as in 019ab3c4-5d6e-7f80-9a1b-2c3d4e5f6071; Enter searches"
        placeholder="Paste it, Enter"
        autoComplete="off"
        spellCheck={false}
        pattern={UUID}
        className="h-7.5 min-w-0 font-mono text-xs sm:w-52"
        value={id}
        onChange={(event) => setId(event.target.value.trim())}
      />
    </form>
  );
}

function isSubject(value: string): value is DeliverySubject {
  return Object.hasOwn(SUBJECTS, value);
}
