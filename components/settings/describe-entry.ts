import type { AuditEntry } from "@/lib/identity/audit/list-audit-entries";

/** A changed value. Only `after` is set if the entry does not record the value before the change. */
export interface EntryChange {
  name: string;
  before?: string;
  after: string;
}

/** A name such as `account.options_changed` as text: "Account options changed". */
export function actionText(action: string): string {
  const words = action.replace(/[._]/g, " ").replace(/^api\b/, "API");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The values of an entry's detail, each with its value before the change if the entry records it. */
export function describeDetail(detail: AuditEntry["detail"]): EntryChange[] {
  if (!isChange(detail)) return Object.entries(detail).map(([key, value]) => describeValue(key, value));
  const { from, to, ...rest } = detail;
  const others = Object.entries(rest).map(([key, value]) => describeValue(key, value));
  if (!isRecord(from) || !isRecord(to)) return [describeValue("value", { from, to }), ...others];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return [...keys.map((key) => describeValue(key, { from: from[key], to: to[key] })), ...others];
}

function describeValue(key: string, value: unknown): EntryChange {
  const name = key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return isChange(value)
    ? { name, before: textOf(value.from), after: textOf(value.to) }
    : { name, after: textOf(value) };
}

function isChange(value: unknown): value is { from: unknown; to: unknown; [key: string]: unknown } {
  return isRecord(value) && "from" in value && "to" in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const ACTOR_TYPES = { user: "Former user", api: "API token", system: "Trunkline or operator" };

/** The name of an entry's actor, or the type of an actor without a name. */
export function actorText({ type, name }: AuditEntry["by"]): string {
  return name ?? ACTOR_TYPES[type];
}
