import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { TURN_GROUPS, TURN_SECONDS } from "@/lib/webhooks/subscriptions/turn-limits";
import type { TurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";

type TurnFieldsProps = { turns: TurnSettings | null; onChange: (turns: TurnSettings | null) => void };

/** The settings of turns, for endpoints with the event `chat.turn`. */
export function TurnFields({ turns, onChange }: TurnFieldsProps) {
  const id = useId();
  const quiet = turns?.quiet_seconds ?? TURN_SECONDS.quiet.default;
  const max = turns?.max_seconds ?? TURN_SECONDS.max.default;
  const change = (part: TurnSettings) => onChange(withoutDefaults({ ...turns, ...part }));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-medium text-sm">Turns</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field>
          <FieldLabel>Quiet (seconds)</FieldLabel>
          <FieldControl>
            <SecondsInput
              name="quiet_seconds"
              limits={TURN_SECONDS.quiet}
              value={turns?.quiet_seconds}
              onSeconds={(quiet_seconds) => change({ quiet_seconds })}
            />
          </FieldControl>
          <FieldDescription>
            A turn closes when the person has written nothing for this long, or twice as long after a file.
          </FieldDescription>
        </Field>
        <Field>
          <FieldLabel>Maximum (seconds)</FieldLabel>
          <FieldControl>
            <SecondsInput
              name="max_seconds"
              limits={TURN_SECONDS.max}
              value={turns?.max_seconds}
              problem={max < quiet ? "The maximum must not be shorter than the quiet." : ""}
              onSeconds={(max_seconds) => change({ max_seconds })}
            />
          </FieldControl>
          <FieldDescription>
            A turn closes this long after its first message, even if the person goes on writing.
          </FieldDescription>
        </Field>
      </div>
      <div className="flex flex-col gap-1">
        <span className="flex items-center gap-2">
          <Checkbox
            id={id}
            aria-describedby={`${id}note`}
            checked={turns?.groups ?? TURN_GROUPS}
            onCheckedChange={(on) =>
              change({ groups: (on === true) === TURN_GROUPS ? undefined : on === true })
            }
          />
          <label htmlFor={id} className="text-sm">
            Turns in groups
          </label>
        </span>
        <p id={`${id}note`} className="text-muted-foreground text-sm">
          Each person in a group has turns of their own. When off, only direct chats have turns.
        </p>
      </div>
    </fieldset>
  );
}

type SecondsInputProps = {
  name: string;
  limits: { min: number; max: number; default: number };
  value: number | undefined;
  problem?: string;
  onSeconds: (seconds: number | undefined) => void;
};

function SecondsInput({ value, limits, problem = "", onSeconds, ...props }: SecondsInputProps) {
  return (
    <Input
      type="number"
      inputMode="decimal"
      step="any"
      autoComplete="off"
      className="tabular-nums"
      min={limits.min}
      max={limits.max}
      placeholder={String(limits.default)}
      value={value ?? ""}
      onChange={({ target }) =>
        onSeconds(Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber)
      }
      {...props}
      // After the field's props, which have an empty ref.
      ref={(input) => input?.setCustomValidity(problem)}
    />
  );
}

// Only what is set is sent, so that the defaults stay those of the API.
function withoutDefaults(turns: TurnSettings): TurnSettings | null {
  const set = Object.entries(turns).filter(([, value]) => value !== undefined);
  return set.length === 0 ? null : Object.fromEntries(set);
}
