import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** The recognized subject of a search text. */
export type RequestSubject =
  | { type: "trace" | "request" | "chat"; id: string }
  | { type: "message"; id: string; chatId: string };

const TRACE_ID = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const FIND_REQUEST_SUBJECT = plannedStatement(
  "find-request-subject",
  `select chat_id from messages where account_id = :accountId and id = :q
  union all select null from api_requests where account_id = :accountId and id = :q limit 1`,
);

/**
 * Recognizes a trace id or the id of a message or request; any other id is treated as a chat's. Errors:
 * parameter_invalid.
 */
export async function findRequestSubject(on: Sql, accountId: string, q: string): Promise<RequestSubject> {
  if (TRACE_ID.test(q)) return { type: "trace", id: q };
  if (!UUID.test(q)) {
    return fail("parameter_invalid", "q: must be a trace ID or the ID of a chat, a message or a request");
  }
  const [found] = await on.run(FIND_REQUEST_SUBJECT, { accountId, q });
  if (found === undefined) return { type: "chat", id: q };
  return found.chat_id === null
    ? { type: "request", id: q }
    : { type: "message", id: q, chatId: found.chat_id };
}
