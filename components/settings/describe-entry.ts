import { providerName } from "@/components/agent-payments/provider-name";
import { AUDIT_ACTIONS } from "@/lib/identity/audit/audit-actions";
import type { AuditEntry } from "@/lib/identity/audit/list-audit-entries";

/** A changed value. Only `after` is set if the entry does not record the value before the change. */
export interface EntryChange {
  name: string;
  before?: string;
  after: string;
}

/** The text of an action such as `account.options_changed`: "Account options changed". */
export function actionText(action: string): string {
  const known: Readonly<Record<string, string>> = AUDIT_ACTIONS;
  // Entries outlive the versions that record them.
  return known[action] ?? wordsOf(action);
}

/** The text of an object's type such as `api_token`: "API token". */
export function objectText(type: string): string {
  return OBJECTS[type] ?? wordsOf(type);
}

const OBJECTS: Readonly<Record<string, string>> = {
  agent_pay_settings: "Limits of agent payments",
  app_clip: "App Clip",
  opt_out_hint: "Possible opt-out",
  person_erasure: "Erasure of a person",
  reputation_audit: "Line audit",
  simulator_snapshot: "Snapshot",
};

function wordsOf(name: string): string {
  const words = name.replace(/[._]/g, " ").replace(/^api\b/, "API");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/**
 * The values of an entry's detail, each with its value before the change if the entry records it. An ID is described by
 * its name if the entry has one, else by its end.
 */
export function describeDetail({ detail, names }: Pick<AuditEntry, "detail" | "names">): EntryChange[] {
  const describeOne = (key: string, value: unknown) => describeValue(key, value, names);
  if (!isChange(detail)) return Object.entries(detail).map(([key, value]) => describeOne(key, value));
  const { from, to, ...rest } = detail;
  const others = Object.entries(rest).map(([key, value]) => describeOne(key, value));
  if (!isRecord(from) || !isRecord(to)) return [describeOne("value", { from, to }), ...others];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return [...keys.map((key) => describeOne(key, { from: from[key], to: to[key] })), ...others];
}

function describeValue(key: string, value: unknown, names: Names): EntryChange {
  const name = nameOf(key);
  return isChange(value)
    ? { name, before: textOf(value.from, key, names), after: textOf(value.to, key, names) }
    : { name, after: textOf(value, key, names) };
}

// A flag reads as a question that its value answers, and an ID names the object.
function nameOf(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/^is /, "")
    .replace(/ ids?$/, "")
    .replace(/\b(url|rcs|json|ip|api)\b/g, (word) => word.toUpperCase());
}

function isChange(value: unknown): value is { from: unknown; to: unknown; [key: string]: unknown } {
  return isRecord(value) && "from" in value && "to" in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Names = AuditEntry["names"];

function textOf(value: unknown, key: string, names: Names): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((item) => textOf(item, key, names)).join(", ") || "none";
  if (isRecord(value)) {
    const parts = Object.entries(value).map(
      ([inner, part]) => `${nameOf(inner)} ${textOf(part, inner, names)}`,
    );
    return parts.join("; ") || "none";
  }
  const text = String(value);
  if (key === "provider") return providerName(text);
  return UUID.test(text) ? (names[text] ?? `…${text.slice(-6)}`) : text;
}

const ACTOR_TYPES = { user: "Former user", api: "API token", system: "Trunkline or operator" };

/** The name of an entry's actor, or the type of an actor without a name. */
export function actorText({ type, name }: AuditEntry["by"]): string {
  return name ?? ACTOR_TYPES[type];
}
