import { snoozeTimes } from "@/components/chats/state/snooze-times";
import { formatMoment } from "@/components/data/time/format-time";
import { Button } from "@/components/ui/button";

type TimeChoicesProps = { nowMs: number; disabled?: boolean; onChoose: (time: Date) => void };

/** Times to come that people often choose, each with its date, in the browser's time zone. */
export function TimeChoices({ nowMs, disabled = false, onChoose }: TimeChoicesProps) {
  return (
    <ul className="flex flex-col gap-1">
      {snoozeTimes(nowMs).map(({ label, until }) => (
        <li key={label}>
          <Button
            variant="outline"
            className="w-full justify-between gap-4 font-normal"
            disabled={disabled}
            onClick={() => onChoose(until)}
          >
            {label}
            <span className="text-muted-foreground tabular-nums">{formatMoment(until.getTime())}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
