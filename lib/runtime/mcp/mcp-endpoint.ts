import "server-only";
import { z } from "zod";
import { contract } from "@/lib/platform/contract";
import { ERRORS } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { authenticateToken } from "@/lib/runtime/http/authenticate";
import { requireSameOrigin } from "@/lib/runtime/http/authenticate-session";
import { apiRoute, type Route } from "@/lib/runtime/http/endpoint";

const MAX_BATCH = 20;

const JsonRpc = z.looseObject({
  jsonrpc: z.literal("2.0").describe("Version of JSON-RPC."),
  method: z
    .string()
    .check(maxUnits(200))
    .optional()
    .describe("Method, such as `tools/list` or `tools/call`."),
  id: z
    .union([z.string(), z.number()])
    .optional()
    .describe("ID of the request. A message without ID is a notification."),
  params: z.record(z.string(), z.unknown()).optional().describe("Parameters of the method."),
});

const CallMcp = contract({
  summary: "Call the MCP server",
  description:
    "Model Context Protocol over streamable HTTP, without sessions: revision 2026-07-28 and the older ones. The API token and its scopes determine the tools; the simulator's tools exist in sandbox accounts only. A Trunkline extension.",
  tag: "MCP",
  body: z
    .union([JsonRpc, z.array(JsonRpc).min(1).max(MAX_BATCH)])
    .meta({ examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }] }),
  bodyLimitBytes: 256 * 1024,
  returns: z
    .looseObject({
      jsonrpc: z.literal("2.0").describe("Version of JSON-RPC."),
      id: z.union([z.string(), z.number()]).nullable().describe("ID of the request."),
      result: z.record(z.string(), z.unknown()).optional().describe("Result of the method."),
      error: z.record(z.string(), z.unknown()).optional().describe("JSON-RPC error."),
    })
    .meta({ examples: [{ jsonrpc: "2.0", id: 1, result: { tools: [] } }] }),
  status: 200,
  errors: ["body_invalid", "access_denied", "parameter_invalid"],
  extension: true,
});

const answerCall = apiRoute(CallMcp, authenticateToken, async ({ ctx, caller, input, request }) => {
  // A page of another site can't read the token, but must not reach an instance on its visitor's machine either.
  if (request.headers.has("origin")) requireSameOrigin(request);
  // Loaded at the first call, with the docs that its tools search.
  const { answerMcp } = await import("@/lib/runtime/mcp/mcp-server");
  const { response, outcome } = await answerMcp({ ctx, caller, request, body: input.body });
  const { errorCode, result } = outcome;
  const text = await response.text();
  return {
    status: response.status,
    headers: {
      "content-type": response.headers.get("content-type") ?? "application/json",
      "x-trace-id": ctx.traceId,
    },
    text: text === "" ? null : text,
    ...(errorCode !== undefined && { errorCode }),
    ...(result !== undefined && { result }),
    logged: { request: loggedCall(input.body), answer: "" },
  };
});

/**
 * POST /mcp: the MCP server, with the token, limits and log of an API operation. A body that is not JSON-RPC gets a
 * JSON-RPC error, which clients can read; a rejected token or limit gets the envelope of the API.
 */
export const callMcp: Route = Object.assign(
  async (...call: Parameters<Route>) => toJsonRpcError(await answerCall(...call)),
  { contract: answerCall.contract },
);

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

async function toJsonRpcError(response: Response): Promise<Response> {
  if (response.status !== 400) return response;
  const envelope = (await response.clone().json()) as { error: { code: number; message: string } } | RpcError;
  if ("jsonrpc" in envelope) return response;
  const { message, ...data } = envelope.error;
  // 1003 is also a body that is JSON but no message, or too long.
  const isUnreadable = data.code === ERRORS.body_invalid.code && /JSON|UTF-8/.test(message);
  const code = isUnreadable ? PARSE_ERROR : INVALID_REQUEST;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const error: RpcError = { jsonrpc: "2.0", id: null, error: { code, message, data } };
  return Response.json(error, { status: 400, headers });
}

interface RpcError {
  jsonrpc: "2.0";
  id: null;
  error: { code: number; message: string; data?: unknown };
}

/** The logged body: method and tool. Arguments and results repeat messages, whose content has its own retention. */
function loggedCall(body: unknown): string {
  const calls = [body].flat().map((call) => {
    const { method, params } = call as z.infer<typeof JsonRpc>;
    return { method, tool: params?.name };
  });
  return JSON.stringify(calls.length === 1 ? calls[0] : calls);
}
