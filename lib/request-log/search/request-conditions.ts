import "server-only";
import { z } from "zod";
import { isTrace } from "@/lib/events/store/event-blocks";
import { Parameters } from "@/lib/events/store/event-conditions";
import type { SqlText } from "@/lib/platform/database/db";
import { firstIdAt } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { REQUEST_COLUMNS, REQUEST_METHODS, REQUEST_TOKEN } from "@/lib/request-log/search/api-request";
import type { RequestSubject } from "@/lib/request-log/search/find-request-subject";
import type { SearchedRoute } from "@/lib/request-log/search/find-route";

// The index of failed requests contains the first digit of the status, so each class is read alone.
const STATUS_CLASSES = {
  "2xx": "r.status between 200 and 299",
  "4xx": "r.status >= 400 and r.status / 100 = 4",
  "5xx": "r.status >= 400 and r.status / 100 = 5",
} as const;

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The conditions of a request log search. Each one has an index. */
export const requestConditionFields = {
  q: z
    .string()
    .trim()
    .toLowerCase()
    .check(maxUnits(100))
    .optional()
    .describe("A trace ID, or the ID of a chat, a message or a request."),
  method: z.enum(REQUEST_METHODS).optional().describe("Only requests with this HTTP method."),
  status: z.enum(["2xx", "4xx", "5xx"]).optional().describe("Only responses of this status class."),
  error_code: z
    .string()
    .regex(/^\d{4}$/, "must be four digits")
    .transform(Number)
    .optional()
    .describe("Only responses with this error code."),
  path: z
    .string()
    .trim()
    .check(maxUnits(500))
    .optional()
    .describe("A template such as `/v3/chats/{chatId}`, or a path as it was requested."),
  token_id: z.uuid().optional().describe("Only requests of this API token."),
  line: z.string().check(maxUnits(20)).optional().describe("Only requests that name this line."),
  from: Moment.optional().describe("Only requests from this time on."),
  to: Moment.optional().describe("Only requests before this time."),
};

const RequestConditions = z.object(requestConditionFields);

export interface RequestSearch extends Omit<z.output<typeof RequestConditions>, "q" | "path"> {
  subject: RequestSubject | null;
  path: SearchedRoute | null;
  /** Starts after this request; null starts with the newest. */
  after: string | null;
  limit: number;
}

interface PreparedSearch {
  /** Selects newest first. One extra row shows that there is another page. */
  page: SqlText;
  /** Selects the rows of this page and all further pages, for counting. */
  matching: SqlText;
}

/** The statements of a request log search. */
export function prepareRequestSearch(accountId: string, search: RequestSearch): PreparedSearch {
  const parameters = new Parameters();
  const isBlocked = readsBlocks(search);
  const conditions = [
    `r.account_id = ${parameters.add(accountId)}`,
    ...exactConditions(parameters, search),
    ...idConditions(parameters, search, isBlocked),
    ...(search.path === null ? [] : pathConditions(parameters, search.path)),
    ...(search.subject === null ? [] : [subjectCondition(parameters, search.subject)]),
  ];
  const where = `where ${conditions.join(" and ")}`;
  const { values } = parameters;
  return {
    page: {
      // The page is read before the tokens are joined, so that PostgreSQL can't sort all requests to join them.
      text: `select ${REQUEST_COLUMNS} from (
               select * from api_requests r ${where}
               order by ${isBlocked ? `${idBlock("r.id")} desc, ` : ""}r.id desc limit ${search.limit + 1}
             ) r ${REQUEST_TOKEN} order by r.id desc`,
      values,
    },
    matching: { text: `select from api_requests r ${where}`, values },
  };
}

/**
 * SQL for the block of a request's id: about a minute. Indexes contain the block, because many rows share it
 * (docs/schema.md). The text must match the indexes exactly.
 */
function idBlock(id: string): string {
  return `(left(${id}::text, 8) collate "C")`;
}

// Sorted by block, PostgreSQL reads an index of the filter, never the whole log of the account for a few rows.
function readsBlocks({ method, token_id, line, path, subject }: RequestSearch): boolean {
  const isExact = [method, token_id, line, path?.route ?? undefined].some((value) => value !== undefined);
  return isExact || subject?.type === "chat" || subject?.type === "message";
}

function exactConditions(parameters: Parameters, search: RequestSearch): string[] {
  const { method, status, error_code, token_id, line } = search;
  return [
    ...(method === undefined ? [] : [`r.method = ${parameters.add(method)}`]),
    ...(status === undefined ? [] : [STATUS_CLASSES[status]]),
    ...(error_code === undefined ? [] : [`r.error_code = ${parameters.add(error_code)}`]),
    ...(token_id === undefined ? [] : [`r.token_id = ${parameters.add(token_id)}`]),
    ...(line === undefined ? [] : [`r.line = ${parameters.add(line)}`]),
  ];
}

// Ids contain the time, so a time range is an id range.
function idConditions(
  parameters: Parameters,
  { from, to, after }: RequestSearch,
  isBlocked: boolean,
): string[] {
  const compared = (comparison: ">=" | "<", value: string): string[] => {
    const id = `${parameters.add(value)}::uuid`;
    const ofBlock = `${idBlock("r.id")} ${comparison === "<" ? "<=" : comparison} ${idBlock(id)}`;
    return [...(isBlocked ? [ofBlock] : []), `r.id ${comparison} ${id}`];
  };
  return [
    ...(from === undefined ? [] : compared(">=", firstIdAt(from.getTime()))),
    ...(to === undefined ? [] : compared("<", firstIdAt(to.getTime()))),
    ...(after === null ? [] : compared("<", after)),
  ];
}

function pathConditions(parameters: Parameters, { route, path }: SearchedRoute): string[] {
  const isRoute = route === null ? "r.route is null" : `r.route = ${parameters.add(route)}`;
  if (path === null) return [isRoute];
  const asked = "regexp_replace(split_part(r.path, '?', 1), '^/api/partner', '')";
  return [isRoute, `${asked} = ${parameters.add(path)}`];
}

function subjectCondition(parameters: Parameters, subject: RequestSubject): string {
  const id = parameters.add(subject.id);
  switch (subject.type) {
    case "trace":
      return isTrace("r.trace_id", id);
    case "request":
      return `r.id = ${id}`;
    case "chat":
      return `r.chat_id = ${id}`;
    case "message":
      return `r.chat_id = ${parameters.add(subject.chatId)} and r.message_ids @> array[${id}::uuid]`;
  }
}
