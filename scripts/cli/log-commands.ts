import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "commander";
import type { ApiClient } from "@/scripts/cli/api-client";
import {
  clientOf,
  type GlobalOptions,
  globalOptions,
  print,
  printItem,
  styled,
} from "@/scripts/cli/cli-context";
import { parseCount, parseSince } from "@/scripts/cli/parse-duration";

const FOLLOW_EVERY_MS = 1000;
const LONGEST_REQUEST_MS = 60_000;
const MAX_PAGE = 200;

interface LoggedRequest {
  id: string;
  created_at: string;
  method: string;
  path: string;
  status: number;
  error_code: number | null;
  latency_ms: number;
  trace_id: string;
  token: { name: string | null };
}

interface RequestPage {
  requests: LoggedRequest[];
  next_cursor: string | null;
}

interface WebhookLog {
  event_id: string;
  webhook_event_type: string;
  target_url: string;
  http_status_code: number | null;
  duration_ms: number;
  timestamp: string;
  status: "success" | "failed" | "retrying";
  attempt: number;
  max_attempts: number;
  error_message: string | null;
  trace_id: string;
}

interface LogOptions {
  status?: string;
  error?: string;
  path?: string;
  search?: string;
  since?: string;
  limit: number;
  follow?: true;
}

interface WebhookLogOptions {
  failed?: true;
  type?: string;
  subscription?: string;
  limit: number;
}

/** Adds `logs` and `logs webhooks`. */
export function addLogCommands(program: Command): void {
  const logs = program
    .command("logs")
    .description("show the API requests of the account, oldest first")
    .addOption(new Option("--status <class>", "only responses of this class").choices(["2xx", "4xx", "5xx"]))
    .option("--error <code>", "only this error code, such as 2024")
    .option("--path <path>", "a path, or a template such as /v3/chats/{chatId}")
    .option("--search <id>", "a trace ID, or the ID of a chat, a message or a request")
    .option("--since <time>", "a duration such as 2h, or a time", parseSince)
    .option("-n, --limit <number>", "number of requests, at most 200", parseCount, 20)
    .option("-f, --follow", "print new requests until interrupted")
    .addHelpText(
      "after",
      `
Examples:
  trunkline logs --status 4xx --since 2h
  trunkline logs --search 4bf92f3577b34da6a3ce929d0e0e4736 --json
  trunkline logs --follow
  trunkline logs webhooks --failed`,
    )
    .action(async (options: LogOptions, command: Command) => {
      const common = globalOptions(command);
      await showRequests(clientOf(common), common, options);
    });

  logs
    .command("webhooks")
    .description("show webhook deliveries with their last attempt, newest first")
    .option("--failed", "only failed deliveries")
    .option("--type <event type>", "only this event type")
    .option("--subscription <id>", "only this webhook subscription")
    .action(async (_: object, command: Command) => {
      const common = globalOptions(command);
      const { failed, type, subscription, limit } = command.optsWithGlobals<WebhookLogOptions>();
      const query = {
        status: failed === true ? "failed" : undefined,
        event_type: type,
        subscription_id: subscription,
        per_page: limit,
      };
      const { webhook_logs } = await clientOf(common).call<{ webhook_logs: WebhookLog[] }>(
        "GET /v1/webhook-logs",
        { query },
      );
      print(
        common,
        { webhook_logs },
        webhook_logs.length === 0 ? "No deliveries." : webhook_logs.map(toLine),
      );
    });
}

async function showRequests(client: ApiClient, common: GlobalOptions, options: LogOptions): Promise<void> {
  if (options.follow === true) return followRequests(client, common, options);
  const page = await listRequests(client, options);
  const listed = page.requests.toReversed();
  const lines = listed.length === 0 ? "No matching requests." : listed.map(requestLine);
  print(common, { requests: listed, next_cursor: page.next_cursor }, lines);
}

/** Prints the latest requests, then each further one, until the process is interrupted. */
async function followRequests(client: ApiClient, common: GlobalOptions, options: LogOptions): Promise<never> {
  const { requests: listed } = await listRequests(client, { ...options, limit: MAX_PAGE });
  const seen = new Set(listed.map(({ id }) => id));
  const show = (request: LoggedRequest) => printItem(common, request, requestLine(request));
  listed.slice(0, options.limit).toReversed().forEach(show);
  for (let newest = listed[0]?.created_at; ; ) {
    await sleep(FOLLOW_EVERY_MS);
    const since = newest === undefined ? options.since : overlapping(newest);
    const { requests } = await listRequests(client, {
      ...options,
      limit: MAX_PAGE,
      ...(since !== undefined && { since }),
    });
    for (const request of requests.toReversed()) {
      if (!seen.has(request.id)) show(request);
      seen.add(request.id);
    }
    newest = requests[0]?.created_at ?? newest;
  }
}

/** A request is logged when it ends, so a slow one appears after later ones. */
function overlapping(newest: string): string {
  return new Date(Date.parse(newest) - LONGEST_REQUEST_MS).toISOString();
}

function listRequests(client: ApiClient, { status, error, path, search, since, limit }: LogOptions) {
  const query = { status, error_code: error, path, q: search, from: since, limit };
  return client.call<RequestPage>("GET /v3/requests", { query });
}

function requestLine({
  created_at,
  method,
  path,
  status,
  error_code,
  latency_ms,
  trace_id,
}: LoggedRequest): string {
  const color = status < 400 ? "green" : status < 500 ? "yellow" : "red";
  const code = error_code === null ? "" : ` ${error_code}`;
  const result = styled(color, `${status}${code}`.padEnd(8));
  return `${created_at}  ${result}  ${method.padEnd(6)} ${path}  ${Math.round(latency_ms)} ms  ${styled("dim", trace_id)}`;
}

function toLine(log: WebhookLog): string {
  const { timestamp, status, webhook_event_type: type, target_url, duration_ms, attempt, max_attempts } = log;
  const color = status === "success" ? "green" : status === "failed" ? "red" : "yellow";
  const result = log.http_status_code ?? log.error_message ?? "";
  return `${timestamp}  ${styled(color, status.padEnd(8))}  ${type}  ${result}  ${duration_ms} ms  ${attempt}/${max_attempts}  ${target_url}  ${styled("dim", log.event_id)}`;
}
