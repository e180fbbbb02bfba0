import "server-only";
import type { z } from "zod";
import type { ErrorName } from "@/lib/platform/errors/errors";

/** Checks that a file has exactly one source: none is field_missing, both are content_invalid. */
export function checkOneSource(
  { url, attachment_id }: { url?: string | undefined; attachment_id?: string | undefined },
  issues: z.RefinementCtx,
): void {
  if ((url === undefined) !== (attachment_id === undefined)) return;
  const error: ErrorName = url === undefined ? "field_missing" : "content_invalid";
  const message = "set exactly one of url and attachment_id";
  issues.addIssue({ code: "custom", message, params: { error } });
}
