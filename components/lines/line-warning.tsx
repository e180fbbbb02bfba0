import { PlugZap, TriangleAlert } from "lucide-react";
import { Timestamp } from "@/components/data/timestamp";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

const REASONS = {
  operator: "An administrator flagged it.",
  transport: "Its transport reported it as flagged.",
  reputation: "Too many of its chats are critical or opted out: at least 30 % of at least 20.",
} as const satisfies Record<NonNullable<LineDetails["flagged_by"]>, string>;

const REMEDIES = {
  operator: "clear it when the reason is gone",
  transport: "see to it at the carrier, then clear it",
  reputation: "it is cleared by itself once its chats recover, or clear it by hand",
} as const satisfies Record<NonNullable<LineDetails["flagged_by"]>, string>;

/** Why a line cannot be written on, or why what is written waits, and what to do. */
export function LineWarning({ line, mayFlag }: { line: LineDetails; mayFlag: boolean }) {
  const { flagged_by: by, flagged_at: at } = line;
  return (
    <>
      {line.status === "FLAGGED" && (
        <Alert variant="destructive">
          <TriangleAlert aria-hidden="true" />
          <AlertTitle>The line is flagged: every write on it is refused with 2027</AlertTitle>
          <AlertDescription className="text-foreground">
            <p>
              {by !== null && REASONS[by]} {at !== null && <Timestamp value={at} />}
            </p>
            <p>
              Send from another line meanwhile.{" "}
              {by !== null && mayFlag && `As an administrator ${REMEDIES[by]}.`}
            </p>
          </AlertDescription>
        </Alert>
      )}
      {!line.is_up && (
        <Alert>
          <PlugZap aria-hidden="true" />
          <AlertTitle>The line is down</AlertTitle>
          <AlertDescription>
            Messages are accepted and wait as queued; they leave by themselves once {line.transport} reports
            it up again.
          </AlertDescription>
        </Alert>
      )}
    </>
  );
}
