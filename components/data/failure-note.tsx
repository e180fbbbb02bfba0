import { ErrorNote } from "@/components/data/error-note";
import type { ApiFailure } from "@/lib/client/api-fetch";

type FailureNoteProps = {
  /** The failure in a few words. */
  title: string;
  failure: ApiFailure | null;
  onRetry?: () => void;
};

/** The error of a dashboard API request. Renders nothing without one. */
export function FailureNote({ title, failure, onRetry }: FailureNoteProps) {
  if (failure === null) return null;
  return (
    <ErrorNote title={title} code={failure.code} traceId={failure.traceId} onRetry={onRetry}>
      {failure.message}
    </ErrorNote>
  );
}
