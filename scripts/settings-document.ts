import { z } from "zod";

/** The settings by name, such as `Settings.shape`. */
type Shape = Readonly<Record<string, z.ZodType>>;

/** The groups of docs/settings.md, in its order. */
const GROUPS = {
  start: "Start",
  database: "Database, retention and backups",
  files: "Files",
  webhooks: "Webhooks and lines",
  limits: "Limits",
  payments: "Payments",
  mail: "Mail",
  "sign-on": "Sessions and sign-on",
  observability: "Observability",
  development: "Development and tests",
} as const;

const About = z.strictObject({
  group: z.enum(Object.keys(GROUPS) as (keyof typeof GROUPS)[]),
  description: z.string().min(1),
  unit: z.string().optional(),
  preset: z.string().optional(),
  isCommon: z.literal(true).optional(),
});

const JsonSchema = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
type JsonSchema = z.infer<typeof JsonSchema>;

const HEADER = `# Settings

Set these environment variables. With the embedded database every setting has a default or can be left out. A wrong value ends
the start with a message that names the setting. Processes that share a database need the same \`ENCRYPTION_KEY\`, \`BASE_URL\`
and other URLs ([scaling](scaling.md#processes)).

\`npm run openapi\` generates this page from \`lib/platform/settings.ts\`.
`;

const START = "<!-- The settings that most people set first. `npm run openapi` writes this table. -->\n\n";
const END = "\n<!-- End of the settings. -->\n";

/** Returns docs/settings.md: every setting, by group. Throws for a setting without a description, a group or a unit. */
export function settingsDocument(shape: Shape): string {
  const settings = describeSettings(shape);
  const sections = Object.entries(GROUPS).map(([group, title]) => {
    const rows = settings
      .filter((setting) => setting.group === group)
      .map(({ name, preset, values, description }) => [`\`${name}\``, preset, values, description]);
    return `## ${title}\n\n${toTable(["name", "default", "values", "meaning"], rows)}`;
  });
  return [HEADER, ...sections].join("\n");
}

/** Returns the README with a new table of the common settings: the first sentence of each. Throws without its marks. */
export function withCommonSettings(readme: string, shape: Shape): string {
  const [before, rest] = readme.split(START);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error("README.md has no marks of its settings");
  const rows = describeSettings(shape)
    .filter(({ isCommon }) => isCommon)
    .map(({ name, preset, description }) => [`\`${name}\``, preset, firstSentence(description)]);
  return before + START + toTable(["name", "default", "meaning"], rows) + END + after;
}

function describeSettings(shape: Shape) {
  return Object.entries(shape).map(([name, schema]) => {
    const about = About.safeParse(schema.meta() ?? {});
    if (!about.success) throw new Error(`the setting ${name}: ${z.prettifyError(about.error)}`);
    const json = JsonSchema.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
    return {
      name,
      ...about.data,
      preset: about.data.preset ?? toDefault(json),
      values: toValues(name, json, about.data.unit),
    };
  });
}

function toDefault({ default: value }: JsonSchema): string {
  return value === undefined || value === "" ? "none" : `\`${value}\``;
}

function toValues(name: string, json: JsonSchema, unit: string | undefined): string {
  if (json.enum !== undefined) return allowedValues(json.enum);
  if (json.type === "integer" || json.type === "number") {
    if (unit === undefined) throw new Error(`the setting ${name} is a number without a unit`);
    return `${json.minimum} to ${json.maximum} ${unit}`.trim();
  }
  return json.format === "uri" ? "URL" : "text";
}

/** A switch has several spellings and can be empty. One of each is enough. */
function allowedValues(values: readonly string[]): string {
  const spelling = values.includes("on") ? ["on", "off"] : ["0", "1"];
  return (values.includes("") ? spelling : values).map((value) => `\`${value}\``).join(", ");
}

function firstSentence(description: string): string {
  const [sentence = description] = /^.*?\.(?= [A-Z0-9]|$)/.exec(description) ?? [];
  return sentence.replaceAll(/\]\((?=[\w-]+\.md)/g, "](docs/");
}

function toTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
