import { ErrorNote } from "@/components/data/error-note";
import type { ApiFailure } from "@/lib/client/api-fetch";

type FailureNoteProps = {
  /** What did not work. */
  title: string;
  failure: ApiFailure | null;
  onRetry?: () => void;
};

/** What the private API answered instead of success; nothing when there is nothing. */
export function FailureNote({ title, failure, onRetry }: FailureNoteProps) {
  if (failure === null) return null;
  return (
    <ErrorNote title={title} code={failure.code} traceId={failure.traceId} onRetry={onRetry}>
      {failure.message}
    </ErrorNote>
  );
}
