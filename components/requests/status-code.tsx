import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";

type StatusCodeProps = { status: number; errorCode: number | null; className?: string };

/** The HTTP status of a response, with its error code. */
export function StatusCode({ status, errorCode, className }: StatusCodeProps) {
  const { variant, icon: Icon, word } = styleOf(status);
  return (
    <Badge variant={variant} className={className}>
      <Icon aria-hidden="true" />
      <span className="sr-only">{word} </span>
      <span className="tabular-nums">
        {status}
        {errorCode !== null && ` · ${errorCode}`}
      </span>
    </Badge>
  );
}

function styleOf(status: number) {
  if (status < 400) return { variant: "success", icon: CircleCheck, word: "Succeeded:" } as const;
  if (status < 500) return { variant: "warning", icon: CircleAlert, word: "Rejected:" } as const;
  return { variant: "destructive", icon: CircleX, word: "Failed:" } as const;
}
