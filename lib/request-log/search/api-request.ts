import "server-only";
import { z } from "zod";

export const REQUEST_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A logged request in lists. */
export const LoggedRequest = z.object({
  id: z.uuid().describe("ID of the logged request."),
  created_at: z.iso.datetime().describe("When the request arrived."),
  method: z.string().describe("HTTP method of the request."),
  route: z
    .string()
    .nullable()
    .describe("Template of the path, such as `/v3/chats/{chatId}`; `null` when the endpoint does not exist."),
  path: z.string().describe("Path of the request, with its query."),
  status: z.int().describe("HTTP status code of the response."),
  error_code: z.int().nullable().describe("Error code of the response; `null` on success."),
  latency_ms: z.number().describe("Time until the response, in milliseconds."),
  line: z.string().nullable().describe("Number of the line that the request names; `null` if none."),
  chat_id: z.uuid().nullable().describe("ID of the chat that the request names; `null` if none."),
  trace_id: z.string().describe("Trace ID, the same as `X-Trace-ID` of the response."),
  token: z
    .object({
      id: z.uuid().describe("ID of the token."),
      name: z.string().nullable().describe("Name of the token; `null` after the token was deleted."),
    })
    .describe("The API token that made the request."),
});

export type LoggedRequest = z.infer<typeof LoggedRequest>;

const Headers = z.record(z.string(), z.string());

/** One side of a logged request. */
const LoggedBody = z.object({
  headers: Headers,
  /** The first 8 KB without secrets; null when there was none or its content was deleted. */
  body: z.string().nullable(),
  /** The size of the whole body. */
  size_bytes: z.int(),
});

/** A logged request with its bodies and all other stored details. */
export const LoggedRequestDetails = LoggedRequest.extend({
  user_agent: z.string().nullable(),
  /** The client's IP address; null when unknown. */
  address: z.string().nullable(),
  message_ids: z.array(z.uuid()),
  /** Whether the bodies are null because the reader's role must not see them. */
  bodies_hidden: z.boolean(),
  request: LoggedBody,
  response: LoggedBody,
});

export type LoggedRequestDetails = z.infer<typeof LoggedRequestDetails>;

/** The columns of a LoggedRequest: `r` is api_requests, `t` is api_tokens. */
export const REQUEST_COLUMNS = `r.id, r.created_at, r.method, r.route, r.path, r.status, r.error_code, r.latency_ms, r.line,
  r.chat_id, r.trace_id, r.token_id, t.name as token_name`;

export const REQUEST_TOKEN = "left join api_tokens t on t.account_id = r.account_id and t.id = r.token_id";

export interface RequestRow {
  id: string;
  created_at: Date;
  method: string;
  route: string | null;
  path: string;
  status: number;
  error_code: number | null;
  latency_ms: number;
  line: string | null;
  chat_id: string | null;
  trace_id: string;
  token_id: string;
  token_name: string | null;
}

export function toLoggedRequest(row: RequestRow): LoggedRequest {
  const { token_id, token_name, created_at, ...request } = row;
  return {
    ...request,
    created_at: created_at.toISOString(),
    token: { id: token_id, name: token_name },
  };
}
