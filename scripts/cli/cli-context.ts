import { styleText } from "node:util";
import type { Command } from "commander";
import { type ApiClient, createApiClient } from "@/scripts/cli/api-client";
import { CliError } from "@/scripts/cli/cli-error";
import { type Profile, readLocalInstance, readProfile } from "@/scripts/cli/settings";

const DEFAULT_URL = "http://localhost:3000";

/** The options that every command has. */
export interface GlobalOptions {
  url?: string;
  token?: string;
  profile: string;
  json: boolean;
}

export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

/** The URL of a command, and the token that may be sent to it. */
interface Connection {
  url: string;
  token?: string;
  /** The URL of a known token that is not sent, because it belongs to this other URL. */
  withheldFor?: string;
}

/**
 * The URL and the token of a command: its options, then TRUNKLINE_URL and TRUNKLINE_TOKEN, then the saved profile, then
 * the demo account of an instance in this directory. A token that has a URL is only for this URL and what is below it.
 * Errors: usage (a URL that is not valid).
 */
export function connectionOf({ url, token, profile }: GlobalOptions): Connection {
  const { TRUNKLINE_URL, TRUNKLINE_TOKEN, BASE_URL } = process.env;
  const saved = readProfile(profile);
  const local = readLocalInstance();
  const environment = { url: written(TRUNKLINE_URL), token: written(TRUNKLINE_TOKEN) };
  const chosen = url ?? environment.url ?? saved?.url ?? written(BASE_URL) ?? local?.url ?? DEFAULT_URL;
  requireUrl(chosen);
  const sources = [environment, saved, local];
  const known = token ?? sources.find((one) => isFor(chosen, one))?.token;
  if (known !== undefined) return { url: chosen, token: known };
  const withheldFor = sources.find((one) => one?.token !== undefined)?.url;
  return { url: chosen, ...(withheldFor !== undefined && { withheldFor }) };
}

/** Why there is no token for a URL, and how to pass one. */
export function missingToken({ url, withheldFor }: Connection): string {
  if (withheldFor === undefined) {
    return `No API token for ${url}. Run \`trunkline token\`, set TRUNKLINE_TOKEN or pass --token.`;
  }
  return `No API token for ${url}. The known token is sent only to its own URL, ${withheldFor}. Pass --token.`;
}

/** Whether there is a token that may be sent to a URL. A token without a URL may be sent to any. */
function isFor(chosen: string, known: Partial<Profile> | undefined): boolean {
  return known?.token !== undefined && (known.url === undefined || isWithin(chosen, known.url));
}

const QUOTED = /^(["'])(.*)\1$|^[\u2018\u201c](.*)[\u2019\u201d]$/;

/** The value of an environment variable without the line end and the quotes that files of variables may leave around it. */
function written(value: string | undefined): string | undefined {
  const trimmed = value?.trim() ?? "";
  const quoted = QUOTED.exec(trimmed);
  return (quoted?.[2] ?? quoted?.[3] ?? trimmed).trim() || undefined;
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether a URL has the same origin as another one, and the same path or one below it. */
function isWithin(text: string, other: string): boolean {
  if (!URL.canParse(other)) return false;
  const [url, base] = [new URL(text), new URL(other)];
  const pathOf = ({ pathname }: URL) => `${pathname.replace(/\/+$/, "")}/`;
  return originOf(url) === originOf(base) && pathOf(url).startsWith(pathOf(base));
}

function originOf(url: URL): string {
  return `${url.protocol}//${hostOf(url)}:${url.port}`;
}

/** The host of a URL, without the port: one for all names of this machine. */
export function hostOf({ hostname }: URL): string {
  return LOOPBACK.test(hostname) ? "localhost" : hostname;
}

function requireUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.host === "" || !/^https?:$/.test(url.protocol)) {
    throw new CliError("usage", `${text} is not a URL with http:// or https://, for example ${DEFAULT_URL}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CliError("usage", "Use a URL of the instance without a user name and password.");
  }
}

/** The client of a command. Errors: denied (no token), usage. */
export function clientOf(options: GlobalOptions): ApiClient {
  const connection = connectionOf(options);
  const { url, token } = connection;
  if (token === undefined) throw new CliError("denied", missingToken(connection));
  requireToken(token);
  return createApiClient({ url, token });
}

/** Throws for a token that can't be one. Errors: usage. */
export function requireToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const found = /[^\x21-\x7e]/.exec(token)?.[0] ?? "";
    throw new CliError(
      "usage",
      token === ""
        ? "The API token is empty."
        : `The API token contains ${JSON.stringify(found)}, which no token does. Copy the whole token.`,
    );
  }
}

/** Prints the result of a command: its value with --json, otherwise lines for people. */
export function print({ json }: GlobalOptions, value: unknown, lines: string | readonly string[]): void {
  const text = json ? JSON.stringify(value, null, 2) : [lines].flat().join("\n");
  process.stdout.write(`${text}\n`);
}

/** Prints one item of a stream: a line of JSON with --json, otherwise a line for people. */
export function printItem({ json }: GlobalOptions, value: unknown, line: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : line}\n`);
}

type Style = Parameters<typeof styleText>[0];

/** Styles a text if the output is a terminal that shows styles. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Aligns rows in columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
