import "server-only";
import { z } from "zod";

const MAX_DEPTH = 4;
const MAX_ERRORS = 3;
const MAX_MESSAGE = 500;
const MAX_PATHS = 10;

/** Properties that name the place and the type of a failure, and never a value. */
const KEPT = [
  "code",
  "errno",
  "syscall",
  "severity",
  "constraint",
  "table",
  "column",
  "routine",
  "status",
  "statusCode",
  "responseCode",
  "errorName",
  "kind",
  "clientVersion",
] as const;

/**
 * An error for the log: type, message, stack and codes. Messages of errors about a value repeat the value, which may be
 * content or a handle, so that part is removed. PostgreSQL's `detail` and `where`, and inputs that other errors carry,
 * are left out.
 */
export function toLoggedError(error: unknown, depth = 1): unknown {
  if (!(error instanceof Error)) return toLoggedValue(error, depth);
  const logged: Record<string, unknown> = { type: error.name, message: messageOf(error) };
  for (const key of KEPT) {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === "string" || typeof value === "number") logged[key] = value;
  }
  logged.stack = framesOf(error);
  if (depth < MAX_DEPTH && error.cause !== undefined) logged.cause = toLoggedError(error.cause, depth + 1);
  if (depth < MAX_DEPTH && error instanceof AggregateError) {
    logged.errors = error.errors.slice(0, MAX_ERRORS).map((each) => toLoggedError(each, depth + 1));
  }
  return logged;
}

// NextAuth wraps errors in objects.
function toLoggedValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return { type: typeof value };
  const error: unknown = Reflect.get(value, "error");
  return error instanceof Error && depth < MAX_DEPTH ? toLoggedError(error, depth + 1) : { type: "object" };
}

function messageOf(error: Error): string {
  return withoutValues(error).replace(/\s+/g, " ").slice(0, MAX_MESSAGE);
}

function withoutValues(error: Error): string {
  const { message } = error;
  // JSON.parse repeats the beginning of the text, and PostgreSQL the value that it could not read.
  if (error instanceof SyntaxError) return message.split(/,|\s"|: /, 1)[0] ?? "";
  if (isDataException(error)) return withoutQuoted(message);
  // zod repeats what was expected and the names of unknown properties. Paths are names of the schema.
  if (error instanceof z.ZodError) return issuesOf(error);
  // Prisma repeats the arguments of the call before the reason.
  if (error.name.startsWith("PrismaClient")) return withoutQuoted(message.split("\n").at(-1) ?? "");
  return message.replace(/(Failed to parse URL from) .*/s, "$1 [removed]");
}

const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])) }));

function issuesOf(error: Error): string {
  const issues = Issues.safeParse(Reflect.get(error, "issues")).data ?? [];
  const paths = [...new Set(issues.map(({ path }) => path.join(".") || "(the value)"))].slice(0, MAX_PATHS);
  return `${issues.length} ${issues.length === 1 ? "issue" : "issues"}: ${paths.join(", ")}`;
}

function withoutQuoted(message: string): string {
  return message.replace(/".*"/s, '"[removed]"');
}

/** SQLSTATE class 22: a value that PostgreSQL could not read or store. */
function isDataException(error: Error): boolean {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" && /^22[0-9A-Z]{3}$/.test(code);
}

// Without the first lines, which repeat the message.
function framesOf({ stack = "" }: Error): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
