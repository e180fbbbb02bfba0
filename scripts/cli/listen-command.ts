import { type Command, InvalidArgumentError, Option } from "commander";
import { isSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { clientOf, type GlobalOptions, globalOptions, printItem, styled } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { checkSignatures, describeCheck } from "@/scripts/cli/listen/check-signatures";
import { openConsumer } from "@/scripts/cli/listen/follow-consumer";
import { followEvents, Refused } from "@/scripts/cli/listen/follow-events";
import { type Forwarded, startForwarding } from "@/scripts/cli/listen/forward-event";
import {
  consumerName,
  lastPosition,
  listenSecret,
  saveConsumer,
  savePosition,
} from "@/scripts/cli/listen/listen-state";
import { isSuccess } from "@/scripts/cli/listen/post-signed";
import { toTargetUrl } from "@/scripts/cli/listen/target-url";
import type { OwnToken } from "@/scripts/cli/token-commands";

const SAVE_EVERY_MS = 1000;

interface ListenOptions {
  forwardTo?: string;
  forward?: string;
  types?: string;
  phoneNumbers?: string;
  version?: string;
  after?: string;
  secret?: string;
  fromNow?: true;
  check: boolean;
}

/** Adds `listen`, which forwards webhooks to a server that has no public URL. */
export function addListenCommand(program: Command): void {
  program
    .command("listen")
    .description(
      "post the account's events to your server, signed like webhooks, and continue where it ended",
    )
    .option("--forward-to <url>", "URL of your server; http:// and localhost can be left out", toTargetUrl)
    .addOption(new Option("--forward <url>").argParser(toTargetUrl).hideHelp())
    .option("--types <types>", "only these event types, separated by commas")
    .option("--phone-numbers <lines>", "only events of these lines, separated by commas")
    .addOption(
      new Option("--version <date>", "payload version (default: the newest)").choices([
        "2025-01-01",
        "2026-02-03",
      ]),
    )
    .option("--after <number>", "start after this event number")
    .option("--from-now", "skip the events since the last run")
    .option(
      "--secret <whsec_…>",
      "signing secret (default: one per account, the same in every run)",
      parseSecret,
    )
    .option("--no-check", "skip the test of whether your server verifies signatures")
    .addHelpText(
      "after",
      `
Examples:
  trunkline listen --forward-to http://localhost:4000/webhooks
  trunkline listen --forward-to http://localhost:4000/webhooks --types message.received,message.failed`,
    )
    .action(async (options: ListenOptions, command: Command) => listen(globalOptions(command), options));
}

function parseSecret(text: string): string {
  if (!isSigningSecret(text)) {
    throw new InvalidArgumentError("Use a signing secret of Trunkline: whsec_ and 24 to 64 bytes in base64.");
  }
  return text;
}

async function listen(common: GlobalOptions, options: ListenOptions): Promise<void> {
  const forwardTo = options.forwardTo ?? options.forward;
  if (forwardTo === undefined) {
    throw new CliError(
      "usage",
      "Set --forward-to to the URL of your server, for example localhost:4000/webhooks.",
    );
  }
  const client = clientOf(common);
  const { account } = await client.call<OwnToken>("GET /v3/token");
  const filters = { types: options.types, phone_numbers: options.phoneNumbers, version: options.version };
  const listened = { accountId: account.id, forwardTo, filters };
  const secret = options.secret ?? listenSecret(account.id);
  const start = options.after ?? (options.fromNow === true ? undefined : lastPosition(listened)?.toString());
  const say = (line: string) => (common.json ? process.stderr : process.stdout).write(`${line}\n`);
  say(`Signing with ${secret}`);
  if (start !== undefined) say(`Continuing after event ${start}.`);
  if (options.check) say(describeCheck(await checkSignatures(forwardTo, secret)));

  const report = (forwarded: Forwarded) => printItem(common, toJson(forwarded), toLine(forwarded));
  const forwarding = startForwarding({ target: forwardTo, secret, report });
  const save = () => {
    const position = forwarding.position();
    if (position !== undefined) savePosition(listened, position);
  };
  const name = consumerName(listened);
  const consumer = await openConsumer({
    client,
    name,
    filters,
    start: options.after ?? (options.fromNow === true ? "now" : undefined),
    earlier: lastPosition(listened)?.toString(),
    forwarded: forwarding.position,
    say,
  });
  if (consumer !== null) saveConsumer(listened, name);
  const saving = setInterval(save, SAVE_EVERY_MS);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      save();
      await consumer?.acknowledge();
      process.exit(0);
    });
  }
  try {
    const events = consumer?.events ?? followEvents({ ...client, query: filters, last: start, say });
    for await (const event of events) {
      if (event.type !== "ready") await forwarding.forward(event);
      // Without an earlier run, the next one continues from here even if nothing happened.
      else if (start === undefined && forwarding.position() === undefined)
        savePosition(listened, Number(event.id));
    }
  } catch (error) {
    throw error instanceof Refused ? new CliError("denied", error.failure) : error;
  } finally {
    clearInterval(saving);
    save();
  }
}

function toJson({ number, eventId, type, isReplay, status, error, latencyMs }: Forwarded) {
  return {
    number,
    event_id: eventId,
    event_type: type,
    is_replay: isReplay,
    status,
    error,
    latency_ms: latencyMs,
  };
}

function toLine(forwarded: Forwarded): string {
  const { type, eventId, isReplay, status, error, latencyMs } = forwarded;
  const result = styled(isSuccess(forwarded) ? "green" : "red", String(status ?? error));
  const time = new Date().toTimeString().slice(0, 8);
  return `${time}  ${type}${isReplay ? " (again)" : ""}  ${eventId}  ${result}  ${latencyMs} ms`;
}
