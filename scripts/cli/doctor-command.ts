import type { Command } from "commander";
import { createApiClient } from "@/scripts/cli/api-client";
import {
  connectionOf,
  type GlobalOptions,
  globalOptions,
  missingToken,
  print,
  styled,
} from "@/scripts/cli/cli-context";
import { EXIT } from "@/scripts/cli/cli-error";
import type { Check } from "@/scripts/cli/doctor/check";
import { checkClock, checkInstance, checkLines, checkToken } from "@/scripts/cli/doctor/check-instance";
import { checkDatabase, checkDisk } from "@/scripts/cli/doctor/check-machine";
import { checkWebhooks } from "@/scripts/cli/doctor/check-webhooks";

const MARKS = {
  ok: styled("green", "ok  "),
  warn: styled("yellow", "warn"),
  fail: styled("red", "FAIL"),
  skip: styled("dim", "skip"),
} as const;

/** Adds `doctor`. */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description(
      "check the instance, the token, the clock, the lines, the webhooks, the database and the disk",
    )
    .option("--webhooks", "send test events to every webhook endpoint, one with a wrong signature")
    .addHelpText(
      "after",
      `
The database and the disk are those of this machine (DATABASE_URL, DATA_DIR). Exit code 5: a check failed.

Examples:
  trunkline doctor
  trunkline doctor --webhooks --json`,
    )
    .action(async ({ webhooks }: { webhooks?: true }, command: Command) => {
      const common = globalOptions(command);
      const checks = await runChecks(common, { send: webhooks === true });
      const isHealthy = checks.every(({ status }) => status !== "fail");
      print(
        common,
        { healthy: isHealthy, checks },
        checks.map(({ name, status, detail }) => `${MARKS[status]}  ${name}: ${detail}`),
      );
      if (!isHealthy) process.exitCode = EXIT.unhealthy;
    });
}

async function runChecks(common: GlobalOptions, { send }: { send: boolean }): Promise<Check[]> {
  const connection = connectionOf(common);
  const { url, token } = connection;
  const ofMachine = [await checkDatabase(), await checkDisk()];
  const instance = await checkInstance(url);
  if (token === undefined) {
    return [instance, { name: "token", status: "fail", detail: missingToken(connection) }, ...ofMachine];
  }
  const client = createApiClient({ url, token });
  const checked = await checkToken(client);
  if (checked.status === "fail") return [instance, checked, ...ofMachine];
  return [
    instance,
    checked,
    await checkClock(client),
    await checkLines(client),
    ...(await checkWebhooks(client, { send })),
    ...ofMachine,
  ];
}
