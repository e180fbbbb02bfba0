import { ErrorNote } from "@/components/data/error-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { Spinner } from "@/components/ui/spinner";
import { durationText } from "@/components/webhooks/replays/replay-pace";
import type { ReplayPreviewState } from "@/components/webhooks/replays/use-replay-preview";

type ReplayPreviewProps = { preview: ReplayPreviewState; perSecond: number };

/** A preview of the events that a replay would send. */
export function ReplayPreview({ preview, perSecond }: ReplayPreviewProps) {
  const { data, error, isCurrent, isEmpty } = preview;
  if (error) {
    return (
      <ErrorNote title="This filter is not valid" code={error.code} traceId={error.traceId}>
        {error.message}
      </ErrorNote>
    );
  }
  return (
    <div
      role="status"
      className="flex min-h-10 items-center rounded-lg border bg-muted/60 px-3.5 py-2 text-sm"
    >
      {isEmpty && "Select at least one delivery status."}
      {!isEmpty && (!isCurrent || data === undefined) && (
        <span className="flex items-center gap-2 text-muted-foreground">
          <Spinner /> Counting…
        </span>
      )}
      {isCurrent && data && <Found data={data} perSecond={perSecond} />}
    </div>
  );
}

type FoundProps = { data: NonNullable<ReplayPreviewState["data"]>; perSecond: number };

function Found({ data: { total, most, oldest, newest, endpoints, largest = total }, perSecond }: FoundProps) {
  if (total === 0 || oldest === null || newest === null)
    return "No events match. There is nothing to replay.";
  if (largest > most) {
    return `${largest.toLocaleString("en")} events match${endpoints === undefined ? "" : " for one endpoint"}. One replay can send up to ${most.toLocaleString("en")}: filter by time.`;
  }
  return (
    <p>
      <span className="font-medium tabular-nums">
        {total === 1 ? "1 event" : `${total.toLocaleString("en")} events`}
      </span>
      {endpoints !== undefined && ` to ${endpoints === 1 ? "1 endpoint" : `${endpoints} endpoints`}`}, from{" "}
      <Timestamp value={oldest} format="moment" /> to <Timestamp value={newest} format="moment" />
      <span className="text-muted-foreground">
        {" "}
        · about {durationText(Math.ceil(largest / perSecond))} at this speed
      </span>
    </p>
  );
}
