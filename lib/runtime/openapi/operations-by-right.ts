import "server-only";
import type { Operation } from "@/lib/runtime/openapi/openapi";

/** The summaries of the operations that need a right, by right and then by tag. */
export type OperationsByRight = Record<string, Record<string, string[]>>;

/** Groups the operations of the dashboard by the right that their contracts name. Everything is in alphabetical order. */
export function operationsByRight(operations: readonly Operation[]): OperationsByRight {
  const found: OperationsByRight = {};
  const named = operations
    .map(({ contract }) => contract)
    // Routes for files and streams have a right, but no summary.
    .filter(({ right, summary }) => right !== undefined && summary !== undefined)
    .sort((a, b) => compare([a.right, a.tag, a.summary], [b.right, b.tag, b.summary]));
  for (const { right = "", tag, summary } of named) {
    const tags = found[right] ?? {};
    const summaries = tags[tag] ?? [];
    found[right] = { ...tags, [tag]: summaries.includes(summary) ? summaries : [...summaries, summary] };
  }
  return found;
}

function compare(left: unknown[], right: unknown[]): number {
  const [a, b] = [left.join("\0"), right.join("\0")];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
