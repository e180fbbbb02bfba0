import type { AccountChange } from "@/lib/identity/audit/list-account-changes";

type Reported = Pick<AccountChange, "action" | "object" | "detail">;

/** A change as text: the action ("Line settings changed, +1555…") and its old and new values. */
export function describeChange({ action, object, detail }: Reported): { what: string; detail: string } {
  const words = action.replace(/[._]/g, " ");
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return { what: object === null ? what : `${what}, ${object}`, detail: describeDetail(detail) };
}

function describeDetail(detail: Reported["detail"]): string {
  const { from, to } = detail;
  if (isRecord(from) && isRecord(to)) {
    return Object.keys(to)
      .map((key) => `${key}: ${textOf(from[key])} → ${textOf(to[key])}`)
      .join(", ");
  }
  if ("from" in detail && "to" in detail) return `${textOf(from)} → ${textOf(to)}`;
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join(", ");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
