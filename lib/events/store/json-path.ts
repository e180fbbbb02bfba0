import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_PATH = 1000;
const REFUSED = ["22", "42601"];

/** A PostgreSQL JSON path over the stored data of an event: `$.message.parts[*].value like_regex "refund"`. */
export const JsonPathText = z.string().trim().min(1).check(maxUnits(MAX_PATH));

/** A valid JSON path. */
export interface JsonPath {
  text: string;
  /** `@@` for a predicate, `@?` for a path that selects values. */
  operator: "@@" | "@?";
}

const READ_JSON_PATH = plannedStatement(
  "read-json-path",
  "select jsonb_typeof(jsonb_path_query_first('{}', :text::text::jsonpath, '{}', true)) as kind",
);

/** Validates a JSON path. Errors: parameter_invalid, with PostgreSQL's message. */
export async function readJsonPath(tx: Sql, text: string): Promise<JsonPath> {
  // On an empty object, a predicate returns a boolean or null, and a selecting path returns nothing.
  const [row] = await tx.run(READ_JSON_PATH, { text }).catch((error: unknown) => {
    if (REFUSED.some((code) => hasSqlState(error, code))) return failPath(error);
    throw error;
  });
  const isPredicate = row?.kind === "boolean" || row?.kind === "null";
  return { text, operator: isPredicate ? "@@" : "@?" };
}

function failPath(error: unknown): never {
  const reason = error instanceof Error ? error.message : "it cannot be read";
  return fail("parameter_invalid", `the JSON path is not valid: ${reason}`);
}
