import "server-only";
import { type CallToolResult, createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import type { Caller } from "@/lib/runtime/http/authenticate";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";
import { type McpTool, requireTool } from "@/lib/runtime/mcp/mcp-tool";
import { MCP_TOOLS } from "@/lib/runtime/mcp/mcp-tools";

const INSTRUCTIONS = `Tools to investigate a Trunkline account and, in a sandbox, to rehearse conversations.
Start with find_chats or why_cant_i_message for a person, list_failing_deliveries for webhooks, and search_requests or
search_events for a trace ID. Every error has a four-digit code: explain_error says what to do. In production accounts no
tool sends, pays or deletes.`;

/** One authenticated MCP request. */
export interface McpCall {
  ctx: Context;
  caller: Caller;
  request: Request;
  /** The parsed body. */
  body: unknown;
}

/** The outcome of the tool that an MCP request called; absent when the request called none. */
interface ToolOutcome {
  result?: object;
  errorCode?: number;
}

type Served = McpCall & { outcome: ToolOutcome };

const handler = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.served as Served), {
  // The list of tools of a token never changes during a subscription.
  maxSubscriptions: 0,
  onerror: (error) => log.debug({ err: error }, "an MCP request was rejected"),
});

/**
 * Answers one MCP request of revision 2026-07-28 or of an older one. Nothing is kept between requests. `outcome` is
 * the result of the tool, for the request log.
 */
export async function answerMcp(call: McpCall): Promise<{ response: Response; outcome: ToolOutcome }> {
  const outcome: ToolOutcome = {};
  const served: Served = { ...call, outcome };
  const authInfo = { token: "", clientId: call.ctx.account.id, scopes: [], extra: { served } };
  const response = await handler.fetch(withAccept(call.request), { authInfo, parsedBody: call.body });
  const isJsonOnly = accepts(call.request, JSON_TYPE) && !accepts(call.request, STREAM_TYPE);
  return { response: isJsonOnly ? await toJson(response, Array.isArray(call.body)) : response, outcome };
}

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const DATA = "data: ";

// The package requires both types by their exact names. A client that takes one of them can read the response too.
function withAccept(request: Request): Request {
  const headers = new Headers(request.headers);
  if (accepts(request, JSON_TYPE) || accepts(request, STREAM_TYPE)) {
    headers.set("accept", `${JSON_TYPE}, ${STREAM_TYPE}`);
  }
  return new Request(request.url, { method: request.method, headers });
}

/** Whether a client takes a type (RFC 9110, 12.5.1): without an `Accept` header it takes any. */
function accepts({ headers }: Request, type: string): boolean {
  const [group] = type.split("/");
  const ranges = (headers.get("accept") || "*/*").toLowerCase().split(",");
  return ranges.some((range) => {
    const [name = ""] = range.split(";");
    return ["*/*", `${group}/*`, type].includes(name.trim());
  });
}

/** The messages of a finite stream as JSON: one, or an array for a batch. */
async function toJson(response: Response, isBatch: boolean): Promise<Response> {
  const headers = new Headers(response.headers);
  if (headers.get("content-type") !== STREAM_TYPE) return response;
  headers.set("content-type", JSON_TYPE);
  // Not with a regular expression in multiline mode: U+2028 and U+2029 end a line there, and JSON can contain them.
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith(DATA));
  const messages = lines.map((line) => line.slice(DATA.length));
  const body = isBatch ? `[${messages.join(",")}]` : messages[0];
  return new Response(body, { status: response.status, headers });
}

function createServer(served: Served): McpServer {
  const server = new McpServer(
    { name: "trunkline", title: "Trunkline", version: "1.0.0" },
    { instructions: INSTRUCTIONS },
  );
  // A list contains only the tools that the caller has. A call of another one gets the reason instead of "not found".
  const isList = isMethod(served.body, "tools/list");
  for (const tool of MCP_TOOLS) if (!isList || isAllowed(tool, served.caller)) addTool(server, tool, served);
  return server;
}

function isMethod(body: unknown, method: string): boolean {
  return typeof body === "object" && body !== null && "method" in body && body.method === method;
}

function isAllowed(tool: McpTool, caller: Caller): boolean {
  try {
    requireTool(tool, caller);
    return true;
  } catch {
    return false;
  }
}

function addTool(server: McpServer, tool: McpTool, served: Served): void {
  const { name, title, description, input, method, isIdempotent, isDestructive } = tool;
  const annotations = {
    readOnlyHint: method === "GET",
    destructiveHint: isDestructive,
    idempotentHint: isIdempotent,
    openWorldHint: false,
  };
  server.registerTool(name, { title, description, inputSchema: input, annotations }, (value) =>
    runTool(tool, served, value),
  );
}

async function runTool(tool: McpTool, { ctx, caller, request, outcome }: Served, value: unknown) {
  try {
    requireTool(tool, caller);
    const result = await tool.run(ctx, value);
    outcome.result = result;
    return toResult(result);
  } catch (error) {
    const thrown = error instanceof z.ZodError ? toApiError(error) : error;
    const { errorCode, text } = errorAnswer(
      explainOutage(thrown, { request, traceId: ctx.traceId, input: undefined }),
      ctx.traceId,
    );
    if (errorCode !== undefined) outcome.errorCode = errorCode;
    const action = documentedError(errorCode ?? 0)?.fix;
    return { ...toResult({ ...(JSON.parse(text ?? "{}") as object), action }), isError: true };
  }
}

function toApiError({ issues: [issue] }: z.ZodError): ApiError {
  return new ApiError("parameter_invalid", `${issue?.path.join(".")}: ${issue?.message}`);
}

// Older clients read only the text.
function toResult(result: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
}
