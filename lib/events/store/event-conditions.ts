import "server-only";
import { z } from "zod";
import { timeBlock } from "@/lib/events/store/event-blocks";
import { type JsonPath, JsonPathText, readJsonPath } from "@/lib/events/store/json-path";
import { wholeDataSql } from "@/lib/events/store/stored-data";
import type { Sql } from "@/lib/platform/database/db";

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The conditions with which searches and replays select events of an account, apart from their types. */
export const eventConditionFields = {
  line_id: z.uuid().optional().describe("Only events of this line."),
  chat_id: z.uuid().optional().describe("Only events of this chat."),
  from: Moment.optional().describe("Only events from this time on."),
  to: Moment.optional().describe("Only events before this time."),
  /** Searches the stored data of an event, which GET /api/events/{seq} returns as `details`. */
  json_path: JsonPathText.optional().describe("JSON path that the stored data of an event matches."),
};

/** Conditions on the partner-facing events of one account. An omitted condition matches every event. */
export interface EventConditions {
  types: readonly string[];
  line_id?: string | undefined;
  chat_id?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  json_path?: string | undefined;
}

/** Collects the values of a composed statement and returns the parameter of each. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Conditions on `events e` that an index supports. */
export function indexedConditions(
  parameters: Parameters,
  accountId: string,
  wanted: EventConditions,
): string[] {
  const { types, line_id, chat_id, from, to } = wanted;
  const conditions = [`e.account_id = ${parameters.add(accountId)}`, "not e.internal"];
  // An index has the order of the log only for a single type.
  if (types.length === 1) conditions.push(`e.type = ${parameters.add(types[0])}`);
  if (types.length > 1) conditions.push(`e.type = any(${parameters.add(types)}::text[])`);
  if (line_id !== undefined) conditions.push(`e.line_id = ${parameters.add(line_id)}`);
  if (chat_id !== undefined) conditions.push(`e.chat_id = ${parameters.add(chat_id)}`);
  if (from !== undefined) conditions.push(...timeConditions(">=", `${parameters.add(from)}::timestamptz`));
  if (to !== undefined) conditions.push(...timeConditions("<", `${parameters.add(to)}::timestamptz`));
  return conditions;
}

function timeConditions(comparison: ">=" | "<", time: string): string[] {
  const ofBlock = comparison === "<" ? "<=" : comparison;
  return [`${timeBlock("e.created_at")} ${ofBlock} ${timeBlock(time)}`, `e.created_at ${comparison} ${time}`];
}

/** The condition for a JSON path, which reads each event's data; none without a path. Errors: parameter_invalid. */
export async function jsonPathCondition(
  tx: Sql,
  parameters: Parameters,
  { json_path }: EventConditions,
): Promise<string[]> {
  if (json_path === undefined) return [];
  const path: JsonPath = await readJsonPath(tx, json_path);
  const data = wholeDataSql("e.data", path.text);
  return [`(${data}) ${path.operator} ${parameters.add(path.text)}::text::jsonpath`];
}
