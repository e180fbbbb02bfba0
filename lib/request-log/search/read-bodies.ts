import "server-only";
import type { RowOf } from "@/lib/platform/database/statement";
import { COMPACT, expandBody } from "@/lib/request-log/store/compact-body";

/** The columns of a logged request that determine its bodies. */
type BodyRow = Pick<
  RowOf<"get-request-view">,
  "request_body" | "response_body" | "body_form" | "chat_id" | "message_ids" | "trace_id" | "line"
>;

/** The bodies of a logged request; null when there was none or its content was deleted. */
export function readBodies(row: BodyRow): { request: string | null; response: string | null } {
  const { request_body: request, response_body: response, body_form: form } = row;
  if (form !== COMPACT) return { request, response };
  const values = {
    chatId: row.chat_id,
    messageId: row.message_ids[0] ?? null,
    traceId: row.trace_id,
    line: row.line,
  };
  return {
    request: request === null ? null : expandBody(request, values),
    response: response === null ? null : expandBody(response, values),
  };
}
