import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { CopyableId } from "@/components/data/copy/copyable-id";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

type ErrorNoteProps = {
  /** The failure, for example "Chats could not be loaded". */
  title: string;
  /** Why, and what to do next. */
  children?: ReactNode;
  /** The error code, if the API returned one. */
  code?: number;
  traceId?: string;
  onRetry?: () => void;
  className?: string;
};

/** An error: what failed, why, what to do, and the trace ID. */
export function ErrorNote({ title, children, code, traceId, onRetry, className }: ErrorNoteProps) {
  return (
    <Alert variant="destructive" className={className}>
      <CircleAlert aria-hidden="true" />
      <AlertTitle>{title}</AlertTitle>
      <AlertDescription className="text-foreground">
        {children}
        {(code !== undefined || traceId) && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground text-xs">
            {code !== undefined && <span className="tabular-nums">Code {code}</span>}
            {traceId && (
              <span className="flex items-center gap-1.5">
                Trace <CopyableId value={traceId} label="trace ID" />
              </span>
            )}
          </div>
        )}
        {onRetry && (
          <Button variant="outline" size="sm" onClick={onRetry} className="mt-1.5">
            <RotateCw aria-hidden="true" />
            Try again
          </Button>
        )}
      </AlertDescription>
    </Alert>
  );
}
