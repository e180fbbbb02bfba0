import "server-only";
import { z } from "zod";
import { type JsonPath, JsonPathText, readJsonPath } from "@/lib/events/json-path";
import type { Sql } from "@/lib/platform/db";

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The conditions with which searches and replays select events of an account, apart from their types. */
export const eventConditionFields = {
  line_id: z.uuid().optional(),
  chat_id: z.uuid().optional(),
  /** Inclusive. */
  from: Moment.optional(),
  /** Exclusive. */
  to: Moment.optional(),
  /** Searches the stored data of an event, which GET /api/events/{seq} returns as `details`. */
  json_path: JsonPathText.optional(),
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
  if (types.length > 0) conditions.push(`e.type = any(${parameters.add(types)}::text[])`);
  if (line_id !== undefined) conditions.push(`e.line_id = ${parameters.add(line_id)}`);
  if (chat_id !== undefined) conditions.push(`e.chat_id = ${parameters.add(chat_id)}`);
  if (from !== undefined) conditions.push(`e.created_at >= ${parameters.add(from)}`);
  if (to !== undefined) conditions.push(`e.created_at < ${parameters.add(to)}`);
  return conditions;
}

/** The condition for a JSON path, which reads each event's data; none without a path. Errors: parameter_invalid. */
export async function jsonPathCondition(
  tx: Sql,
  parameters: Parameters,
  { json_path }: EventConditions,
): Promise<string[]> {
  if (json_path === undefined) return [];
  const path: JsonPath = await readJsonPath(tx, json_path);
  return [`e.data ${path.operator} ${parameters.add(path.text)}::text::jsonpath`];
}
