import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { hasSqlState } from "@/lib/platform/has-sql-state";
import { maxUnits } from "@/lib/platform/max-units";

const MAX_PATH = 1000;
const REFUSED = ["22", "42601"];

/** A PostgreSQL JSON path over the stored facts of an event: `$.message.parts[*].value like_regex "refund"`. */
export const JsonPathText = z.string().trim().min(1).check(maxUnits(MAX_PATH));

/** A JSON path that was read and found sound. */
export interface JsonPath {
  text: string;
  /** `@@` for one that says yes or no, `@?` for one that selects something. */
  operator: "@@" | "@?";
}

/** Reads a JSON path. Errors: parameter_invalid, with what PostgreSQL makes of it. */
export async function readJsonPath(tx: Sql, text: string): Promise<JsonPath> {
  // One that says yes or no does so of an empty object too; one that selects finds nothing in it.
  const [row] = await tx
    .query<{ kind: string | null }>({
      text: "select jsonb_typeof(jsonb_path_query_first('{}', $1::text::jsonpath, '{}', true)) as kind",
      values: [text],
    })
    .catch((error: unknown) => {
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
