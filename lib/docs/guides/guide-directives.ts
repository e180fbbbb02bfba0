import "server-only";
import { EPHEMERAL_HOURS, MAX_DOWNLOAD_BYTES } from "@/lib/attachments/attachment";
import { MAX_UPLOAD_BYTES, MAX_VOICE_MEMO_BYTES } from "@/lib/attachments/file-types/file-limits";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { scopeCoverage } from "@/lib/identity/tokens/require-scope";
import { EDITABLE_MINUTES, MAX_EDITS } from "@/lib/messaging/edits/edit-limits";
import { MAX_OPTION_LENGTH, MAX_OPTIONS } from "@/lib/messaging/polls/poll-limits";
import { documentedErrors } from "@/lib/platform/errors/error-guidance";
import { RETRY_SENTENCES } from "@/lib/platform/errors/guidance";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";
import { FAULT_EFFECTS } from "@/lib/simulator/faults/fault-effects";
import { LINE_KINDS } from "@/lib/simulator/lines/line-kinds";
import { MAGIC_HANDLES } from "@/lib/simulator/magic-handles/magic-handles";

/**
 * The tables that guides take from the code. A line `:::name` in a Markdown file is replaced by the Markdown of its
 * function, on pages, in `.md` files and in the search index alike.
 */
const DIRECTIVES: Readonly<Record<string, () => string>> = {
  "error-codes": errorCodes,
  "event-types": eventTypes,
  limits,
  "line-kinds": lineKinds,
  "magic-handles": magicHandles,
  "retry-policies": retryPolicies,
  "simulator-faults": simulatorFaults,
  "token-scopes": tokenScopes,
};

/** Replaces every directive of a Markdown text. Throws on an unknown name. */
export function expandDirectives(markdown: string): string {
  return markdown.replace(/^:::(.+)$/gm, (_, name: string) => {
    const generate = DIRECTIVES[name];
    if (generate === undefined) throw new Error(`no directive is named ${name}`);
    return generate();
  });
}

/** A Markdown table. Cells must not contain a vertical bar or a line break. */
function toTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A list of names with descriptions, which pages show as a definition list. */
function toDefinitions(rows: readonly (readonly [name: string, text: string])[]): string {
  return rows.map(([name, text]) => `- **${name}**: ${text}`).join("\n");
}

/** The path of the page of an error code. */
export function errorPath(code: number): string {
  return `/docs/error/codes/${String(code).charAt(0)}xxx/${code}`;
}

function errorCodes(): string {
  const rows = documentedErrors().map(({ code, title, statuses }) => [
    `[${code}](${errorPath(code)})`,
    statuses.join(", "),
    title,
  ]);
  return toTable(["Code", "HTTP status", "Message"], rows);
}

function eventTypes(): string {
  const rows = EVENT_TYPES.map((type) => [
    `[\`${type}\`](/docs/guides/webhooks/events/${type})`,
    EVENT_KINDS[type].summary,
  ]);
  return toTable(["Event", "When"], rows);
}

function retryPolicies(): string {
  return toDefinitions([
    ["After a change", RETRY_SENTENCES.after_change],
    ["Later", RETRY_SENTENCES.later],
    ["With exponential backoff", RETRY_SENTENCES.with_backoff],
    ["With a new idempotency key", RETRY_SENTENCES.new_key],
    ["Never", RETRY_SENTENCES.never],
  ]);
}

function simulatorFaults(): string {
  return toDefinitions(FAULT_EFFECTS.map(({ name, effect }) => [`\`${name}\``, effect]));
}

function lineKinds(): string {
  return toDefinitions(Object.entries(LINE_KINDS).map(([name, { effect }]) => [`\`${name}\``, effect]));
}

function magicHandles(): string {
  const rows = MAGIC_HANDLES.map(({ handle, name, effect }) => [`\`${handle}\``, name, effect]);
  return toTable(["Handle", "Name", "Effect"], rows);
}

const COVERAGE = { all: "All", reads: "Reads", none: "None" };

/** One row for each group of API sections with the same scopes. */
function tokenScopes(): string {
  const tagsByCells = Map.groupBy(scopeCoverage(), ({ allows }) =>
    TOKEN_SCOPES.map((scope) => COVERAGE[allows[scope]]).join(" | "),
  );
  const rows = [...tagsByCells].map(([cells, tags]) => [
    tags
      .map(({ tag }) => tag)
      .sort()
      .join(", "),
    cells,
  ]);
  return toTable(["API section", ...TOKEN_SCOPES.map((scope) => `\`${scope}\``)], rows);
}

const MIB = 1024 * 1024;

function limits(): string {
  return toTable(
    ["Limit", "Value"],
    [
      ["Recipients of a message", "31"],
      ["Parts of a message", "100, of which 40 media parts with a public URL"],
      ["Text part", "1 to 10,000 characters"],
      ["Link part", "2,048 characters"],
      ["Idempotency key", "255 characters"],
      ["File sent by URL", `${MAX_DOWNLOAD_BYTES / MIB} MB`],
      ["Uploaded file", `${MAX_UPLOAD_BYTES / MIB} MB`],
      ["Voice memo", `${MAX_VOICE_MEMO_BYTES / MIB} MB`],
      ["File of the ephemeral tier", `kept for ${EPHEMERAL_HOURS} hours`],
      ["Edits of a message", `${MAX_EDITS}, within ${EDITABLE_MINUTES} minutes of sending`],
      ["Options of a poll", `2 to ${MAX_OPTIONS}, of up to ${MAX_OPTION_LENGTH} characters`],
      ["Image of a contact card", "square, at least 200 by 200 pixels"],
      ["Webhook response", "within 10 seconds"],
      ["Page of a list", "1 to 100 items"],
    ],
  );
}
