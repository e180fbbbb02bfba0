import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import {
  connectionOf,
  type GlobalOptions,
  globalOptions,
  missingToken,
  print,
  requireToken,
} from "@/scripts/cli/cli-context";
import { CliError, EXIT } from "@/scripts/cli/cli-error";
import { AREAS, type Area } from "@/scripts/cli/conform/check";
import { explainUntested, summaryOf, toLines, untestedOf } from "@/scripts/cli/conform/print-report";
import { type ConformOptions, runConform } from "@/scripts/cli/conform/run-conform";
import { toTargetUrl } from "@/scripts/cli/listen/target-url";

const DEFAULT_TIMEOUT_SECONDS = 15;
const DEFAULT_WAIT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 600;
const HANDLE = /^(\+[1-9]\d{6,14}|[^\s@]+@[^\s@]+)$/;
/** The exit code of a program that Ctrl+C ended. */
const INTERRUPTED = 130;

interface Options {
  to?: string;
  phones?: true;
  listen?: string;
  publicUrl?: string;
  only?: Area[];
  spec?: string;
  timeout: number;
  wait: number;
  report?: string;
}

/** Adds `conform`, which compares any implementation of the API with the contract. */
export function addConformCommand(program: Command): void {
  program
    .command("conform")
    .description(
      "compare an implementation of the API with the contract: operations, errors, lists and webhooks",
    )
    .argument("<base_url>", "URL of the implementation, without /v3")
    .option("--to <handle>", "the one person that may be written to", parseHandle)
    .option(
      "--phones",
      "use an account of its own with simulated phones, if the implementation has the simulator",
    )
    .option("--listen <host:port>", "receive webhooks here")
    .option("--public-url <url>", "URL at which the implementation reaches --listen", toTargetUrl)
    .option("--only <areas>", `only these areas, separated by commas: ${AREAS.join(", ")}`, parseAreas)
    .option("--spec <file>", "another OpenAPI document than the one of this version")
    .option("--timeout <seconds>", "time limit of each request", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .option("--wait <seconds>", "time limit of each delivery", parseSeconds, DEFAULT_WAIT_SECONDS)
    .option("--report <file>", "write the checks to this file as JSON, too")
    .addHelpText(
      "after",
      `
Messages go only to --to and to simulated phones. Settings change only in an account of --phones. What the run creates,
it removes at the end, and it names what it could not remove. A saved token is sent only to its own URL.

Exit codes: 0 the same, 1 different or nothing tested, 2 the comparison could not run.

Examples:
  trunkline conform http://localhost:3000 --phones --listen 127.0.0.1:4100
  trunkline conform https://api.example.com/api/partner --token "$TOKEN" --to +15550100101 --report drift.json
  trunkline conform http://localhost:8080 --only tokens,inputs,lists --json`,
    )
    .action((url: string, options: Options, command: Command) =>
      conform(globalOptions(command), url, options),
    );
}

function parseHandle(text: string): string {
  if (HANDLE.test(text)) return text;
  throw new InvalidArgumentError(
    "Use a phone number in E.164 format, such as +15550100101, or an email address.",
  );
}

function parseAreas(text: string): Area[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !AREAS.includes(name as Area));
  if (unknown === undefined) return names as Area[];
  throw new InvalidArgumentError(`${unknown} is not an area. Use ${AREAS.join(", ")}.`);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds;
  throw new InvalidArgumentError(`Use a number of seconds up to ${MAX_TIMEOUT_SECONDS}.`);
}

async function conform(common: GlobalOptions, baseUrl: string, options: Options): Promise<void> {
  const connection = connectionOf({ ...common, url: baseUrl });
  const { token } = connection;
  const { search, hash } = new URL(baseUrl);
  if (search !== "" || hash !== "") throw new CliError("notRun", "Use a URL without a query and a fragment.");
  if (token === undefined) throw new CliError("notRun", missingToken(connection));
  requireToken(token);
  if (options.publicUrl !== undefined && options.listen === undefined) {
    throw new CliError("notRun", "--public-url needs --listen, the address on this machine.");
  }
  if (options.report !== undefined) writeReport(options.report, "", "a");
  const left: string[] = [];
  const checks = await untilInterrupted(async (stopped) => {
    try {
      return await runConform({ ...toOptions(baseUrl, token, options, stopped), left });
    } finally {
      for (const one of left) process.stderr.write(`Not removed: ${one}\n`);
    }
  });
  if (checks === null) return;
  const summary = summaryOf(checks);
  const untested = untestedOf(checks, options.only ?? []);
  const result = { base_url: baseUrl, ...summary, untested, not_removed: left, checks };
  if (options.report !== undefined) writeReport(options.report, `${JSON.stringify(result, null, 2)}\n`);
  print(common, result, toLines(checks, untested));
  if (untested !== null) process.stderr.write(`${explainUntested(untested)}\n`);
  if (summary.different > 0 || untested !== null) process.exitCode = EXIT.different;
}

/** Errors: notRun (the file can't be written). */
function writeReport(file: string, text: string, flag: "w" | "a" = "w"): void {
  try {
    writeFileSync(file, text, { flag });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError("notRun", `The report can't be written: ${reason}`);
  }
}

/** Runs until the end, or until Ctrl+C: then resolves with null, once everything was removed. */
async function untilInterrupted<Result>(
  work: (stopped: Promise<void>) => Promise<Result>,
): Promise<Result | null> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    process.exitCode = INTERRUPTED;
    process.stderr.write("Removing what the run created…\n");
    stop();
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const result = await work(stopped);
    return isInterrupted ? null : result;
  } catch (error) {
    if (isInterrupted) return null;
    throw error;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

function toOptions(baseUrl: string, token: string, options: Options, stopped: Promise<void>): ConformOptions {
  const { to, phones, listen, publicUrl, only, spec, timeout, wait } = options;
  return {
    ...{ baseUrl, token, stopped, phones: phones === true, timeoutSeconds: timeout, waitSeconds: wait },
    ...(to !== undefined && { to }),
    ...(listen !== undefined && { listen }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(only !== undefined && { only }),
    ...(spec !== undefined && { spec }),
  };
}
