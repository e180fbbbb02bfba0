import type { ReactNode } from "react";
import { ReasonDialog } from "@/components/data/dialogs/reason-dialog";
import { Button } from "@/components/ui/button";

/** Why sending is blocked. `handle`: the recipient whose opt-out the user may override, with a reason. */
export function SendingDisabled({
  why,
  handle,
  onOverride,
}: {
  why: string;
  handle: string | null;
  onOverride: (reason: string) => void;
}): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p>{why}</p>
      {handle !== null && (
        <ReasonDialog
          trigger={
            <Button variant="link" size="sm" className="h-auto p-0">
              Send anyway…
            </Button>
          }
          title={`Override the opt-out of ${handle}?`}
          description="This recipient asked for no messages. Send one only if the law allows it, for example a receipt they requested. The override applies to your next message only. Your name and the reason are saved with the opt-out."
          action="Override for one message"
          handle={handle}
          reasonRequired
          run={async (_, reason) => onOverride(reason)}
        />
      )}
    </div>
  );
}

/** Says that the next message overrides the opt-out. */
export function OverrideNote({ reason, onEnd }: { reason: string; onEnd: () => void }) {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-2 text-warning text-xs">
      <p className="wrap-anywhere min-w-0">The next message overrides the opt-out: {reason}</p>
      <Button variant="outline" size="xs" onClick={onEnd}>
        Cancel override
      </Button>
    </div>
  );
}
