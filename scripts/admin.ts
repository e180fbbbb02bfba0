// npm run admin -- …: commands for the operator of an instance. They need no dashboard user.
import { z } from "zod";
import { attachDatabase } from "@/lib/operations/startup/attach-database";
import { closeDatabase } from "@/lib/platform/database/db";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import type { Commands } from "@/scripts/admin/command";
import { parseCommandLine } from "@/scripts/admin/command-line";
import { COMMANDS, COMMANDS_APART, USAGE } from "@/scripts/admin/commands";

// An exiting process stops the PostgreSQL that it started. Without listeners, these signals end it without an exit.
for (const [signal, number] of [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const)
  process.on(signal, () => process.exit(128 + number));

const { command, options } = parseCommandLine(process.argv.slice(2));
const run = command === null ? undefined : COMMANDS[command];
const runApart = command === null ? undefined : COMMANDS_APART[command];
if (runApart !== undefined) {
  await report(() => runApart(options));
} else if (run === undefined) {
  process.stdout.write(USAGE);
  process.exitCode = command === null ? 0 : 1;
} else {
  await runCommand(run);
}

async function runCommand(run: Commands[string]): Promise<void> {
  let release: () => Promise<void> = async () => undefined;
  await report(async () => {
    registerDependencies();
    release = await attachDatabase(process.env);
    return run(options);
  });
  await closeDatabase();
  await release();
}

async function report(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(
      `${error instanceof z.ZodError ? z.prettifyError(error) : String((error as Error).message)}\n`,
    );
    process.exitCode = 1;
  }
}
