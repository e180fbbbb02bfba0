import { parseArgs } from "node:util";

const OPTIONS = [
  "name",
  "partner",
  "type",
  "account",
  "number",
  "transport",
  "email",
  "role",
  "line",
  "file",
  "status",
  "tier",
  "options",
  "expires",
  "scopes",
  "addresses",
  "token",
  "overlap-hours",
] as const;

/** The command of a command line, and its options: a file may also follow the command by itself. */
export function parseCommandLine(args: readonly string[]) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: Object.fromEntries(OPTIONS.map((name) => [name, { type: "string" as const }])),
  });
  const [command = null, file] = positionals;
  return { command, options: { file, ...values } as Record<string, unknown> };
}
