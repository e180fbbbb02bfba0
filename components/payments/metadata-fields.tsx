"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

type Entry = { name: string; value: string };
type MetadataFieldsProps = { metadata: Entry[]; onChange: (metadata: Entry[]) => void };

/** Custom keys and values, included in events and in the processor's objects. */
export function MetadataFields({ metadata, onChange }: MetadataFieldsProps) {
  const put = (index: number, part: Partial<Entry>) =>
    onChange(metadata.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">
        Metadata <span className="font-normal text-muted-foreground">(optional)</span>
      </legend>
      {metadata.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity while they are edited
        <div key={index} className="flex min-w-0 items-center gap-2">
          <Input
            aria-label={`Key ${index + 1}`}
            placeholder="order"
            maxLength={40}
            value={entry.name}
            onChange={(event) => put(index, { name: event.target.value })}
          />
          <Input
            aria-label={`Value ${index + 1}`}
            placeholder="1042"
            dir="auto"
            maxLength={500}
            value={entry.value}
            onChange={(event) => put(index, { value: event.target.value })}
          />
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Remove key ${index + 1}`}
            onClick={() => onChange(metadata.filter((_, at) => at !== index))}
          >
            <X />
          </Button>
        </div>
      ))}
      <Button
        variant="outline"
        size="sm"
        className="w-fit"
        onClick={() => onChange([...metadata, { name: "", value: "" }])}
      >
        <Plus aria-hidden="true" />
        Add key
      </Button>
    </fieldset>
  );
}
