import { expect, test } from "vitest";
import type { z } from "zod";
import { routes } from "@/.generated/route-table";
import { operationsOf } from "@/lib/runtime/openapi/operations";

/** Every string limit in a schema, by path. */
function limitsIn(schema: z.core.$ZodType, path: string, seen = new Set<z.core.$ZodType>()): Limit[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const own = def.type === "string" ? checksOf(def).map((check) => ({ path, check })) : [];
  return [
    ...own,
    ...Object.values(def).flatMap((value) =>
      schemasIn(value).flatMap(([name, inner]) =>
        limitsIn(inner, name === "" ? path : `${path}.${name}`, seen),
      ),
    ),
  ];
}

interface Limit {
  path: string;
  check: z.core.$ZodCheckMaxLength;
}

function checksOf(def: Record<string, unknown>): z.core.$ZodCheckMaxLength[] {
  const checks = (def.checks ?? []) as z.core.$ZodCheck[];
  return checks.filter((check) => check._zod.def.check === "max_length") as z.core.$ZodCheckMaxLength[];
}

function schemasIn(value: unknown): [string, z.core.$ZodType][] {
  if (typeof value !== "object" || value === null) return [];
  if ("_zod" in value) return [["", value as z.core.$ZodType]];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" && inner !== null && "_zod" in inner ? [[name, inner as z.core.$ZodType]] : [],
  );
}

test("every limit of a string counts UTF-16 units: an emoji is two", () => {
  const limits = operationsOf(routes).flatMap(({ method, path, contract }) =>
    (["params", "query", "headers", "body"] as const).flatMap((place) => {
      const schema = contract[place];
      return schema === undefined ? [] : limitsIn(schema, `${method} ${path} ${place}`);
    }),
  );
  expect(limits.length).toBeGreaterThan(100);

  const codePoints = limits.filter(({ check }) => {
    const { maximum } = check._zod.def;
    const payload = { value: "😀".repeat(Math.floor(maximum / 2) + 1), issues: [] };
    check._zod.check(payload);
    return payload.issues.length === 0;
  });
  expect(codePoints.map(({ path }) => path)).toEqual([]);
});
