import "server-only";
import { transaction } from "@/lib/platform/db";
import { keepBody } from "@/lib/requests/keep-body";
import { lineInRequest, type Named } from "@/lib/requests/named-in-request";
import { redactPath } from "@/lib/requests/redact-secrets";
import { joinRequestLog } from "@/lib/requests/request-log-lock";
import { routeOf } from "@/lib/requests/route-of";

/** An answered request as it was noted, before anything costly was done with it. */
export interface NotedRequest {
  accountId: string;
  id: string;
  tokenId: string;
  method: string;
  /** With the query, as it was asked for. */
  path: string;
  /** null when there is no such endpoint. */
  params: Record<string, string> | null;
  status: number;
  errorCode: number | null;
  latencyMs: number;
  named: Named;
  traceId: string;
  userAgent: string | null;
  headers: { request: Record<string, string>; answer: Record<string, string> };
  /** As `takeBody` gave them. */
  requestBody: string;
  answerBody: string;
  requestBytes: number;
  answerBytes: number;
  at: Date;
}

const PATH_MOST = 2000;
const USER_AGENT_MOST = 300;

const COLUMNS = [
  ["account_id", "uuid"],
  ["id", "uuid"],
  ["token_id", "uuid"],
  ["method", "text"],
  ["route", "text"],
  ["path", "text"],
  ["status", "int"],
  ["error_code", "int"],
  ["latency_ms", "float8"],
  ["line", "text"],
  ["chat_id", "uuid"],
  ["message_ids", "text"],
  ["trace_id", "text"],
  ["user_agent", "text"],
  ["headers", "jsonb"],
  ["request_bytes", "int"],
  ["response_bytes", "int"],
  ["created_at", "timestamptz"],
  // Where in the bodies of all rows this row's begin (from 1), and how long they are.
  ["request_at", "int"],
  ["request_kept", "int"],
  ["response_at", "int"],
  ["response_kept", "int"],
] as const;

const STORED = COLUMNS.slice(0, -4).map(([name]) => name);
const BODIES = `$${COLUMNS.length + 1}::bytea`;

// Bodies travel as one binary value: as arrays of text each would be escaped here and unescaped there.
function bodyOf(side: "request" | "response"): string {
  const slice = `substring(${BODIES} from r.${side}_at for r.${side}_kept)`;
  return `case when r.${side}_kept > 0 and not content.gone then convert_from(${slice}, 'UTF8') end`;
}

// A message may be deleted between its request and this statement: then its content is not stored any more.
const INSERT = `insert into api_requests (${STORED.join(", ")}, request_body, response_body)
  select ${STORED.map((name) => (name === "message_ids" ? "r.message_ids::uuid[]" : `r.${name}`)).join(", ")},
    ${bodyOf("request")}, ${bodyOf("response")}
  from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})
    as r(${COLUMNS.map(([name]) => name).join(", ")})
  cross join lateral (
    select exists (
      select 1 from unnest(r.message_ids::uuid[]) as named(id) cross join lateral (
        select m.deleted_at from messages m where m.account_id = r.account_id and m.id = named.id offset 0
      ) m where m.deleted_at is not null) as gone
  ) content
  on conflict do nothing`;

/** Writes answered requests to the log, without their secrets, in one statement. May be repeated with the same rows. */
export async function writeRequests(requests: readonly NotedRequest[]): Promise<void> {
  const bodies: Bodies = { chunks: [], end: 1 };
  const rows = requests.map((request) => toRow(request, bodies));
  const columns = COLUMNS.map((_, column) => rows.map((row) => row[column]));
  const accountIds = [...new Set(requests.map((request) => request.accountId))];

  await transaction(async (tx) => {
    await joinRequestLog(tx, accountIds);
    await tx.query({
      name: "write-requests",
      text: INSERT,
      values: [...columns, Buffer.concat(bodies.chunks)],
    });
  });
}

function toRow(request: NotedRequest, bodies: Bodies): unknown[] {
  return [
    request.accountId,
    request.id,
    request.tokenId,
    request.method,
    routeOf(request.path, request.params),
    redactPath(request.path).slice(0, PATH_MOST),
    request.status,
    request.errorCode,
    request.latencyMs,
    lineInRequest(request.path, request.requestBody) ?? request.named.line,
    request.named.chatId,
    `{${request.named.messageIds.join(",")}}`,
    request.traceId,
    request.userAgent?.slice(0, USER_AGENT_MOST) ?? null,
    JSON.stringify(request.headers),
    request.requestBytes,
    request.answerBytes,
    request.at,
    ...append(bodies, keepBody(request.requestBody, "request")),
    ...append(bodies, keepBody(request.answerBody, "answer")),
  ];
}

interface Bodies {
  chunks: Buffer[];
  /** Where the next one begins, from 1. */
  end: number;
}

function append(bodies: Bodies, body: Buffer): [at: number, kept: number] {
  const at = bodies.end;
  bodies.chunks.push(body);
  bodies.end += body.length;
  return [at, body.length];
}
