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
  "admins-need-passkey",
  "requires-sso",
  "from",
  "to",
  "keep",
  "handle",
] as const;

/** Parses a command line into the command and its options. A file can follow the command without an option name. */
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
