import { CopyableId } from "@/components/data/copy/copyable-id";
import type { ApiFailure } from "@/lib/client/api-fetch";

type UnsentFailure = { message: string } & Partial<Pick<ApiFailure, "code" | "traceId" | "docUrl">>;

/** Why a message was not sent, with links to the error's documentation and its trace. */
export function SendFailure({ failure }: { failure: UnsentFailure }) {
  return (
    <>
      {failure.message}
      {failure.code !== undefined && (
        <>
          {" "}
          (
          <a href={failure.docUrl} target="_blank" rel="noreferrer" className="underline underline-offset-2">
            code {failure.code}
          </a>
          )
        </>
      )}
      {failure.traceId && (
        <span className="mt-0.5 flex items-center gap-1 text-muted-foreground">
          Trace <CopyableId value={failure.traceId} label="trace ID" />
        </span>
      )}
    </>
  );
}
