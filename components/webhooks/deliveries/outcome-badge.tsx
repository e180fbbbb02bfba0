import { CircleCheck, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";

type Outcome = { status_code: number | null; error: string | null };

/** The status code of an endpoint's response, or why there was none. */
export function OutcomeBadge({ status_code: code, error }: Outcome) {
  const isSuccess = code !== null && code >= 200 && code < 300;
  const Icon = isSuccess ? CircleCheck : CircleX;
  return (
    <Badge variant={isSuccess ? "success" : "destructive"} className="tabular-nums">
      <Icon aria-hidden="true" />
      {code ?? error?.replaceAll("_", " ") ?? "no response"}
    </Badge>
  );
}
