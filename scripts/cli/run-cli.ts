import { Command, CommanderError } from "commander";
import { version } from "@/package.json";
import { CliError, EXIT, type Failure } from "@/scripts/cli/cli-error";
import { addConformCommand } from "@/scripts/cli/conform-command";
import { addDoctorCommand } from "@/scripts/cli/doctor-command";
import { addEventCommands } from "@/scripts/cli/event-commands";
import { addListenCommand } from "@/scripts/cli/listen-command";
import { addLogCommands } from "@/scripts/cli/log-commands";
import { addMessageCommands } from "@/scripts/cli/message-commands";
import { addServerCommands } from "@/scripts/cli/server-commands";
import { addSimulatorCommands } from "@/scripts/cli/simulator-commands";
import { addStateCommands } from "@/scripts/cli/state-commands";
import { addTokenCommands } from "@/scripts/cli/token-commands";

const HELP = `
Examples:
  trunkline start                                                    run an instance
  trunkline token                                                    save an API token
  trunkline listen --forward-to http://localhost:4000/webhooks       receive webhooks on this machine
  trunkline phone +15550100101 say "hi"                              write as a simulated phone
  trunkline send "Hello" --to +15550100101                           write as your account
  trunkline logs --status 4xx --since 2h                             see what failed
  trunkline events replay --failed --since 2h                        deliver failed webhooks again
  trunkline doctor --webhooks                                        check everything
  trunkline conform http://localhost:3000 --phones                   compare an implementation with the contract

Exit codes: 0 success, 1 the request failed, 2 wrong usage, 3 token missing or not allowed, 4 the instance does not
respond, 5 a check of doctor failed; conform has its own. With --json, a failure is JSON on standard error.`;

/** Runs the command line with these arguments. Returns the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  const isJson = args.includes("--json");
  const program = createProgram({ isJson });
  process.stdout.on("error", endWithReader);
  try {
    // Commands have an option --version of their own, which the program's would take from them.
    await program.parseAsync(args[0] === "--version" ? ["-V"] : [...args], { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      // Otherwise, Commander has already printed the message or the help.
      if (isJson) printFailure({ message: error.message.replace(/^error: /, "") }, isJson);
      return EXIT.usage;
    }
    if (!(error instanceof CliError)) throw error;
    printFailure(error.failure, isJson);
    return EXIT[error.exit];
  }
}

/** Ends the command when the program that reads its output has ended, as `head` does after its lines. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}

/** All commands with their options, which run nothing before they are parsed. */
export function createProgram({ isJson = false }: { isJson?: boolean } = {}): Command {
  const program = new Command("trunkline")
    .description("Run Trunkline, and work with an account of an instance from the terminal.")
    .option("--url <url>", "URL of the instance (TRUNKLINE_URL; default: http://localhost:3000)")
    .option("--token <token>", "API token (TRUNKLINE_TOKEN)")
    .option("--profile <name>", "saved URL and token to use", process.env.TRUNKLINE_PROFILE || "default")
    .option("--json", "print JSON", false)
    .addHelpText("after", HELP)
    .version(version, "-V", "print the version, as --version does")
    .showHelpAfterError(isJson ? false : "Add --help for usage.")
    .configureOutput(isJson ? { writeErr: () => undefined } : {})
    .exitOverride();
  for (const add of [
    addServerCommands,
    addTokenCommands,
    addListenCommand,
    addMessageCommands,
    addLogCommands,
    addEventCommands,
    addSimulatorCommands,
    addStateCommands,
    addDoctorCommand,
    addConformCommand,
  ]) {
    add(program);
  }
  return program;
}

function printFailure(failure: Failure, isJson: boolean): void {
  if (isJson) return void process.stderr.write(`${JSON.stringify({ error: failure }, null, 2)}\n`);
  const { message, code, doc_url, trace_id } = failure;
  const lines = [
    `${message}${code === undefined ? "" : ` (${code})`}`,
    ...(doc_url === undefined ? [] : [doc_url]),
    ...(trace_id === undefined ? [] : [`Trace ID ${trace_id}`]),
  ];
  process.stderr.write(`${lines.join("\n")}\n`);
}
