import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { MAX_OPTION_LENGTH, MAX_OPTIONS, MIN_OPTIONS } from "@/lib/messaging/polls/poll-limits";

type OptionFieldsProps = { options: readonly string[]; onChange: (options: string[]) => void };

/** The options of a poll, one field each. */
export function OptionFields({ options, onChange }: OptionFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-2 font-medium text-sm">Options</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its index
        <div key={index} className="flex items-center gap-1.5">
          <Input
            aria-label={`Option ${index + 1}`}
            value={option}
            maxLength={MAX_OPTION_LENGTH}
            onChange={({ target }) => onChange(options.with(index, target.value))}
          />
          {options.length > MIN_OPTIONS && (
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Remove option ${index + 1}`}
              onClick={() => onChange(options.toSpliced(index, 1))}
            >
              <X />
            </Button>
          )}
        </div>
      ))}
      {options.length < MAX_OPTIONS && (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => onChange([...options, ""])}>
          <Plus />
          Add option
        </Button>
      )}
    </fieldset>
  );
}
