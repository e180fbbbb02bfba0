import "server-only";
import { z } from "zod";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { Transport } from "@/lib/adapters/transports/transport";
import { fail } from "@/lib/platform/errors/errors";

/** A setting of a transport's connection, for a form. */
export const TransportField = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  /** Never shown. Stored values can only be replaced. */
  is_secret: z.boolean(),
  is_required: z.boolean(),
  /** The value of a setting that is left empty; null without one. */
  default: z.string().nullable(),
  /** The only values; null where any text is accepted. */
  options: z.array(z.string()).nullable(),
});

export type TransportField = z.infer<typeof TransportField>;

const Meta = z.object({
  label: z.string().default(""),
  help: z.string().default(""),
  secret: z.boolean().default(false),
  target: z.boolean().default(false),
  managed: z.boolean().default(false),
  local: z.boolean().default(false),
});

/** The settings of a transport that people enter, in order. Settings that it manages itself are not listed. */
export function fieldsOf({ settings }: Pick<Transport, "settings">): TransportField[] {
  return listSettings(settings).flatMap(({ name, schema, meta }) => {
    if (meta.managed) return [];
    const { data } = schema.safeParse(undefined);
    return {
      name,
      label: meta.label,
      help: meta.help,
      is_secret: meta.secret,
      is_required: !schema.safeParse(undefined).success,
      default: data === undefined ? null : String(data),
      options: optionsOf(schema),
    };
  });
}

/** The settings that can be shown: neither secrets nor managed ones. */
export function shownSettings(transport: Pick<Transport, "settings">, connection: Connection): Connection {
  const shown = new Set(fieldsOf(transport).flatMap(({ name, is_secret }) => (is_secret ? [] : name)));
  return Object.fromEntries(Object.entries(connection).filter(([name]) => shown.has(name)));
}

/** The shown settings that determine which account of the vendor a connection uses, and how. */
export function vendorSettings(transport: Pick<Transport, "settings">, connection: Connection): Connection {
  const local = new Set(
    listSettings(transport.settings).flatMap(({ name, meta }) => (meta.local ? name : [])),
  );
  return Object.fromEntries(
    Object.entries(shownSettings(transport, connection)).filter(([name]) => !local.has(name)),
  );
}

/** The names of the secrets that a connection has. */
export function storedSecrets(transport: Pick<Transport, "settings">, connection: Connection): string[] {
  return fieldsOf(transport).flatMap(({ name, is_secret }) =>
    is_secret && connection[name] !== undefined ? name : [],
  );
}

/**
 * The connection that results from entered settings. Empty settings are absent, and secrets that were not entered keep
 * their stored value, unless the connection leads to another host: a stored secret is never sent to one. Errors:
 * parameter_invalid with the label of the wrong setting.
 */
export function toConnection(
  transport: Pick<Transport, "name" | "settings">,
  entered: Connection,
  stored: Connection | null,
): Connection {
  const fields = fieldsOf(transport);
  const unknown = Object.keys(entered).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    fail("parameter_invalid", `settings.${unknown}: ${transport.name} has no such setting`);
  const keepsSecrets = stored !== null && isSameTarget(transport, entered, stored);
  const connection = Object.fromEntries(
    fields.flatMap(({ name, is_secret }) => {
      const value = entered[name]?.trim() ?? "";
      if (value !== "") return [[name, value]];
      const kept = is_secret && keepsSecrets ? stored?.[name] : undefined;
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
  const [issue] = transport.settings?.safeParse(connection).error?.issues ?? [];
  if (issue === undefined) return connection;
  const field = fields.find(({ name }) => name === issue.path[0]);
  return fail("parameter_invalid", `${field?.label ?? "settings"}: ${explainIssue(issue, connection)}`);
}

function isSameTarget(
  { settings }: Pick<Transport, "settings">,
  entered: Connection,
  stored: Connection,
): boolean {
  return listSettings(settings)
    .filter(({ meta }) => meta.target)
    .every(({ name }) => (entered[name]?.trim() ?? "") === (stored[name] ?? ""));
}

function explainIssue(issue: z.core.$ZodIssue, connection: Connection): string {
  const isMissing = connection[String(issue.path[0])] === undefined;
  return isMissing ? "enter a value" : issue.message;
}

interface Setting {
  name: string;
  schema: z.ZodType;
  meta: z.infer<typeof Meta>;
}

function listSettings(settings: z.ZodType | undefined): Setting[] {
  if (!(settings instanceof z.ZodObject)) return [];
  return Object.entries(settings.shape as Record<string, z.ZodType>).map(([name, schema]) => ({
    name,
    schema,
    meta: Meta.parse(schema.meta() ?? {}),
  }));
}

function optionsOf(schema: z.ZodType): string[] | null {
  const { enum: values } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return values === undefined ? null : values.map(String);
}
