import { ErrorNote } from "@/components/data/error-note";
import { FailureNote } from "@/components/data/failure-note";
import { ApiFailure } from "@/lib/client/api-fetch";

type PasskeyFailureNoteProps = { title: string; failure: Error | null | undefined };

/** The error of an action with a passkey: of the browser or of the server. Renders nothing without one. */
export function PasskeyFailureNote({ title, failure }: PasskeyFailureNoteProps) {
  if (failure == null) return null;
  if (failure instanceof ApiFailure) return <FailureNote title={title} failure={failure} />;
  return <ErrorNote title={title}>{failure.message}</ErrorNote>;
}
