import { PlugZap, TriangleAlert } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

const REASONS = {
  operator: "An administrator flagged this line.",
  transport: "The transport reported this line as flagged.",
  reputation: "Too many chats on this line are critical or opted out: at least 30% of at least 20 chats.",
} as const satisfies Record<NonNullable<LineDetails["flagged_by"]>, string>;

const REMEDIES = {
  operator: "clear the flag when the reason no longer applies",
  transport: "resolve the problem with the carrier, then clear the flag",
  reputation: "wait until the chats recover and the flag clears automatically, or clear it now",
} as const satisfies Record<NonNullable<LineDetails["flagged_by"]>, string>;

/** Why a line can't send, or why its messages are queued, and what to do. */
export function LineWarning({ line, mayFlag }: { line: LineDetails; mayFlag: boolean }) {
  const { flagged_by: by, flagged_at: at } = line;
  return (
    <>
      {line.status === "FLAGGED" && (
        <Alert variant="destructive">
          <TriangleAlert aria-hidden="true" />
          <AlertTitle>This line is flagged: sends and changes fail with error 2027</AlertTitle>
          <AlertDescription className="text-foreground">
            <p>
              {by !== null && REASONS[by]} {at !== null && <Timestamp value={at} />}
            </p>
            <p>
              Send from another line until the flag is cleared.{" "}
              {by !== null && mayFlag && `As an administrator, ${REMEDIES[by]}.`}
            </p>
          </AlertDescription>
        </Alert>
      )}
      {!line.is_up && (
        <Alert>
          <PlugZap aria-hidden="true" />
          <AlertTitle>This line is down</AlertTitle>
          <AlertDescription>
            Messages are accepted and queued. Trunkline sends them when {line.transport} reports the line as
            up again.
          </AlertDescription>
        </Alert>
      )}
    </>
  );
}
