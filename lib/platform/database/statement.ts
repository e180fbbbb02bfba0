import "server-only";

/**
 * The types of each statement by its name, as PostgreSQL describes them. `npm run statements` generates them from the
 * migrated schema (prisma/statement-types.ts), and `npm run check` fails when they are out of date.
 */
// biome-ignore lint/suspicious/noEmptyInterface: statement-types.ts adds the statements.
export interface StatementTypes {}

/** The name of a statement of this application. */
export type StatementName = keyof StatementTypes;

/** The type of a name that has no statement yet: the compiler shows it as what was expected. */
type KnownName<Name extends string> = Name extends StatementName
  ? Name
  : "a known statement: `npm run statements` adds new ones";

type PartOf<Name extends StatementName, Part extends string> =
  StatementTypes[Name] extends Readonly<Record<Part, infer Value>> ? Value : never;

/** A row that a statement returns, as it arrives: columns have the names of the SQL text. */
export type RowOf<Name extends StatementName> = PartOf<Name, "row">;

/** A row of an outer join that found something: all columns but `Nullable` have values. */
export type AllBut<Row, Nullable extends keyof Row> = {
  [Column in keyof Row]: Column extends Nullable ? Row[Column] : NonNullable<Row[Column]>;
};

/** Whether an outer join found something: the id of the joined row is not null. */
export function isJoined<Found extends { id: string }>(
  row: { [Column in keyof Found]: Found[Column] | null },
): row is Found {
  return row.id !== null;
}

/** The parameters of a statement by name. */
export type ParametersOf<Name extends StatementName> = PartOf<Name, "parameters">;

/**
 * One SQL statement with named parameters. Its text has `:name` for each parameter. PostgreSQL cannot say whether an
 * expression can be null: its type includes null unless its alias ends with `!`, as in `sum(amount) as "total!"`. The
 * alias of a column that is null although the schema says otherwise ends with `?`. A type that says more than
 * PostgreSQL's follows a colon, as in `parts as "parts: StoredPart[]"`. None of this is part of the row's names.
 */
export interface Statement<Name extends StatementName> {
  readonly name: Name;
  /** The text for PostgreSQL, with `$1`, `$2` … */
  readonly text: string;
  /** The text as it was written. */
  readonly source: string;
  /** The names of the parameters in the order of their numbers. */
  readonly parameters: readonly string[];
  /**
   * A prepared statement keeps one plan for all values and runs on the hot pool. The others are planned for the values
   * of each run (docs/decisions/0006).
   */
  readonly isPrepared: boolean;
}

const known: Statement<StatementName>[] = [];

/** Every statement of the modules that are loaded. */
export function knownStatements(): readonly Statement<StatementName>[] {
  return known;
}

/** Defines a prepared statement: for lookups by key, writes, and all hot paths. Names are unique. */
export function statement<const Name extends string>(
  name: KnownName<Name>,
  source: string,
): Statement<Extract<Name, StatementName>> {
  return define(name as Extract<Name, StatementName>, source, true);
}

/** Defines a statement that PostgreSQL plans for its values: for lists, searches and rare maintenance. */
export function plannedStatement<const Name extends string>(
  name: KnownName<Name>,
  source: string,
): Statement<Extract<Name, StatementName>> {
  return define(name as Extract<Name, StatementName>, source, false);
}

function define<Name extends StatementName>(
  name: Name,
  source: string,
  isPrepared: boolean,
): Statement<Name> {
  const { text, parameters } = numbered(source);
  const defined = { name, text, source, parameters, isPrepared };
  known.push(defined);
  return defined;
}

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|::|"(\w+)(?:[!?]|[!?]?: [^"]*)"|"[^"]*"|(?<![\w\]]):([a-zA-Z]\w*)/g;

/** A text that is composed at run time, without the marks of its aliases. */
export function withoutMarks(text: string): string {
  return text.replaceAll(TOKEN, (token: string, marked?: string) =>
    marked === undefined ? token : `"${marked}"`,
  );
}

/** Replaces `:name` with `$1`, `$2` … and removes the marks of aliases. */
export function numbered(source: string): { text: string; parameters: string[] } {
  const parameters: string[] = [];
  const text = source.replaceAll(TOKEN, (token: string, marked?: string, name?: string) => {
    if (marked !== undefined) return `"${marked}"`;
    if (name === undefined) return token;
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { text, parameters };
}
