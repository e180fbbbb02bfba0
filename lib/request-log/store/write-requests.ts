import "server-only";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { arraysSql, namesSql, toArrays } from "@/lib/platform/database/input-columns";
import { type Statement, statement } from "@/lib/platform/database/statement";
import { COMPACT, compactBody, isCompactable, type KnownValues } from "@/lib/request-log/store/compact-body";
import { toStoredHeaders } from "@/lib/request-log/store/logged-headers";
import { redactPath } from "@/lib/request-log/store/redact-secrets";
import { lineInRequest, type ReferencedResources } from "@/lib/request-log/store/referenced-resources";
import { lockRequestLog } from "@/lib/request-log/store/request-log-lock";
import { routeOf } from "@/lib/request-log/store/route-of";
import { toStoredBody } from "@/lib/request-log/store/stored-body";

/** An answered request before any costly processing. */
export interface RecordedRequest {
  accountId: string;
  id: string;
  tokenId: string;
  method: string;
  /** The path with its query, as requested. */
  path: string;
  /** null when the endpoint does not exist. */
  params: Record<string, string> | null;
  status: number;
  errorCode: number | null;
  latencyMs: number;
  named: ReferencedResources;
  traceId: string;
  userAgent: string | null;
  /** The client's IP address. */
  address: string | null;
  headers: { request: Record<string, string>; answer: Record<string, string> };
  /** The bodies from `truncateBody`. */
  requestBody: string;
  answerBody: string;
  requestBytes: number;
  answerBytes: number;
  at: Date;
}

const MAX_PATH = 2000;
const MAX_USER_AGENT = 300;
/** The maximum difference between the clocks of two processes. */
const CLOCKS_DIFFER_MS = 10_000;
const UNIQUE_VIOLATION = "23505";
const NO_BODY = Buffer.alloc(0);

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
  ["address", "text"],
  ["headers", "jsonb"],
  ["request_bytes", "int"],
  ["response_bytes", "int"],
  ["created_at", "timestamptz"],
  ["body_form", "smallint"],
  // The offset (from 1) and the length of this row's bodies in the bodies of all rows.
  ["request_at", "int"],
  ["request_kept", "int"],
  ["response_at", "int"],
  ["response_kept", "int"],
] as const;

const STORED = COLUMNS.slice(0, -4).map(([name]) => name);

// All bodies are sent as one binary value, because text arrays would have to be escaped here and unescaped in
// PostgreSQL.
function bodyOf(side: "request" | "response"): string {
  const slice = `substring(:bodies::bytea from r.${side}_at for r.${side}_kept)`;
  return `case when r.${side}_kept > 0 then convert_from(${slice}, 'UTF8') end`;
}

const INSERT = `insert into api_requests (${STORED.join(", ")}, request_body, response_body)
  select ${STORED.map((name) => (name === "message_ids" ? "r.message_ids::uuid[]" : `r.${name}`)).join(", ")},
    ${bodyOf("request")}, ${bodyOf("response")}
  from unnest(${arraysSql(COLUMNS)})
    as r(${namesSql(COLUMNS)})`;

const WRITE_REQUESTS = statement("write-requests", INSERT);
const WRITE_REQUESTS_AGAIN = statement("write-requests-again", `${INSERT} on conflict do nothing`);

/** Writes requests to the log without their secrets, in one statement. Rows that already exist do not change. */
export async function writeRequests(requests: readonly RecordedRequest[]): Promise<void> {
  await write(requests, WRITE_REQUESTS).catch((error: unknown) => {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    // The response to an earlier commit was lost. Checking for existing rows every time would cost much more.
    return write(requests, WRITE_REQUESTS_AGAIN);
  });
}

function write(
  requests: readonly RecordedRequest[],
  insert: Statement<"write-requests" | "write-requests-again">,
): Promise<void> {
  const accountIds = [...new Set(requests.map((request) => request.accountId))];
  return transaction(async (tx) => {
    await lockRequestLog(tx, accountIds);
    const deleted = await findDeleted(tx, accountIds, requests);
    await tx.run(insert, toParameters(requests, deleted));
  });
}

const FIND_MESSAGES_DELETED_SINCE = statement(
  "find-messages-deleted-since",
  `select id as "id!" from messages where account_id = any(:accountIds::uuid[]) and deleted_at >= :deletedAt
  union all
  select id from scheduled_messages where account_id = any(:accountIds::uuid[]) and canceled_at >= :deletedAt`,
);

/** The messages deleted since the first of these requests arrived. Their content must not be stored. */
async function findDeleted(
  tx: Sql,
  accountIds: readonly string[],
  requests: readonly RecordedRequest[],
): Promise<ReadonlySet<string>> {
  const first = Math.min(...requests.map(({ at, latencyMs }) => at.getTime() - latencyMs));
  const rows = await tx.run(FIND_MESSAGES_DELETED_SINCE, {
    accountIds,
    deletedAt: new Date(first - CLOCKS_DIFFER_MS),
  });
  return new Set(rows.map((row) => row.id));
}

function toParameters(requests: readonly RecordedRequest[], deleted: ReadonlySet<string>) {
  const bodies = collectBodies();
  const rows = requests.map((request) => {
    const isGone = request.named.messageIds.some((id) => deleted.has(id));
    const line = lineInRequest(request.path, request.requestBody) ?? request.named.line;
    const stored = isGone ? NO_BODIES : toStoredBodies(request, line);
    const [requestAt, requestKept] = bodies.add(stored.request);
    const [responseAt, responseKept] = bodies.add(stored.answer);
    return {
      ...toRow(request, line),
      bodyForm: stored.form,
      ...{ requestAt, requestKept, responseAt, responseKept },
    };
  });
  return { ...toArrays(rows), bodies: bodies.all() };
}

interface StoredBodies {
  form: typeof COMPACT | null;
  request: Buffer;
  answer: Buffer;
}

const NO_BODIES: StoredBodies = { form: null, request: NO_BODY, answer: NO_BODY };

function toStoredBodies(
  { named, traceId, requestBody, answerBody }: RecordedRequest,
  line: string | null,
): StoredBodies {
  const request = toStoredBody(requestBody, "request");
  const answer = toStoredBody(answerBody, "answer");
  const texts = [request.toString(), answer.toString()] as const;
  if (!texts.every(isCompactable)) return { form: null, request, answer };
  const values: KnownValues = {
    chatId: named.chatId,
    messageId: named.messageIds[0] ?? null,
    traceId,
    line,
  };
  const [shortRequest, shortAnswer] = texts.map((text) => Buffer.from(compactBody(text, values)));
  return { form: COMPACT, request: shortRequest ?? NO_BODY, answer: shortAnswer ?? NO_BODY };
}

function toRow(request: RecordedRequest, line: string | null) {
  return {
    accountId: request.accountId,
    id: request.id,
    tokenId: request.tokenId,
    method: request.method,
    route: routeOf(request.path, request.params),
    path: redactPath(request.path).slice(0, MAX_PATH),
    status: request.status,
    errorCode: request.errorCode,
    latencyMs: request.latencyMs,
    line,
    chatId: request.named.chatId,
    messageIds: `{${request.named.messageIds.join(",")}}`,
    traceId: request.traceId,
    userAgent: request.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    address: request.address,
    headers: toStoredHeaders(request.headers),
    requestBytes: request.requestBytes,
    responseBytes: request.answerBytes,
    createdAt: request.at,
  };
}

function collectBodies() {
  const chunks: Buffer[] = [];
  let end = 1;
  return {
    add(body: Buffer): [at: number, kept: number] {
      const at = end;
      chunks.push(body);
      end += body.length;
      return [at, body.length];
    },
    all: () => Buffer.concat(chunks),
  };
}
