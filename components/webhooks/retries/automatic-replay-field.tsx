import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { ReplaySpeedSelect } from "@/components/webhooks/replays/replay-speed-select";

const SPEED = 10;

type AutomaticReplayFieldProps = { perSecond: number | null; onChange: (perSecond: number | null) => void };

/** Whether missed events are replayed when the endpoint answers again, and how fast. */
export function AutomaticReplayField({ perSecond, onChange }: AutomaticReplayFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex items-center gap-2">
          <Checkbox
            id={id}
            aria-describedby={`${id}note`}
            checked={perSecond !== null}
            onCheckedChange={(on) => onChange(on === true ? SPEED : null)}
          />
          <label htmlFor={id} className="text-sm">
            Replay missed events when the endpoint answers again
          </label>
        </span>
        {perSecond !== null && <ReplaySpeedSelect value={perSecond} onChange={onChange} />}
      </div>
      <p id={`${id}note`} className="text-muted-foreground text-sm">
        After a pause or an outage, oldest first. Events that your server refused with a 4xx status are not
        replayed.
      </p>
    </div>
  );
}
