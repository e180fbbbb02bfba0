"use client";

import type { FormEvent } from "react";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { useFieldText } from "@/components/data/fields/use-field-text";
import { Input } from "@/components/ui/input";
import type { FilterChange, FilterValues, SubjectFilter } from "@/lib/client/filters";

const UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

type SubjectFieldProps = {
  filter: SubjectFilter;
  values: FilterValues;
  onChange: (change: FilterChange) => void;
};

/** A search field for an id and its type. */
export function SubjectField({ filter: { subjects }, values, onChange }: SubjectFieldProps) {
  const current = subjects.find((subject) => values[subject.name] !== undefined) ?? subjects[0];
  const [name, setName] = useFieldText(current?.name ?? "");
  const [id, setId] = useFieldText((current && values[current.name]) ?? "");
  const label = subjects.find((subject) => subject.name === name)?.label;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const none = Object.fromEntries(subjects.map((subject) => [subject.name, undefined]));
    onChange({ ...none, [name]: id });
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-1 max-sm:col-span-full max-sm:w-full">
      <LazySelect
        label="ID type"
        size="sm"
        value={name}
        options={subjects.map((subject) => ({ value: subject.name, label: subject.label }))}
        onChange={setName}
      />
      <Input
        type="search"
        aria-label={label}
        title="An id, for example 019ab3c4-5d6e-7f80-9a1b-2c3d4e5f6071. Press Enter to search."
        placeholder="Paste an ID"
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
