import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import {
  LADDERS,
  ladderSummary,
  ladderText,
  readLadder,
} from "@/components/webhooks/retries/retry-ladder-text";

type RetryFieldsProps = { ladder: number[] | null; onChange: (ladder: number[] | null) => void };

/** The waits between the attempts of a delivery. A text without waits keeps the form from being submitted. */
export function RetryFields({ ladder, onChange }: RetryFieldsProps) {
  const [isOpenAtFirst] = useState(ladder !== null);
  const [text, setText] = useState(ladderText(ladder));
  const read = readLadder(text);

  function change(next: string): void {
    setText(next);
    const { seconds } = { seconds: null, ...readLadder(next) };
    onChange(seconds);
  }

  return (
    <details className="flex flex-col" open={isOpenAtFirst}>
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-sm">Retry schedule</summary>
      <div className="flex flex-col gap-3 pt-3">
        <Field>
          <FieldLabel>Waits between attempts</FieldLabel>
          <FieldControl>
            <Input
              name="retry_schedule"
              autoComplete="off"
              spellCheck={false}
              placeholder="Schedule of the instance"
              value={text}
              ref={(input) => input?.setCustomValidity("problem" in read ? read.problem : "")}
              onChange={(event) => change(event.target.value)}
            />
          </FieldControl>
          <FieldDescription>{explain(read)}</FieldDescription>
        </Field>
        <div className="flex flex-wrap gap-2">
          {Object.entries(LADDERS).map(([name, waits]) => (
            <Button key={name} type="button" variant="outline" size="sm" onClick={() => change(waits)}>
              {name}
            </Button>
          ))}
          <Button type="button" variant="outline" size="sm" onClick={() => change("")}>
            Default
          </Button>
        </div>
      </div>
    </details>
  );
}

function explain(read: ReturnType<typeof readLadder>): string {
  if ("problem" in read) return read.problem;
  if (read.seconds === null) return "For example 10s, 5m, 2h. Leave empty for the schedule of the instance.";
  return `${ladderSummary(read.seconds)}. Deliveries that wait follow it from their next attempt on.`;
}
