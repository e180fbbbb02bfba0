import { type Command, InvalidArgumentError, Option } from "commander";
import { isSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { clientOf, type GlobalOptions, globalOptions, printItem, styled } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { checkSignatures, describeCheck } from "@/scripts/cli/listen/check-signatures";
import { type ConsumerFeed, followConsumer } from "@/scripts/cli/listen/follow-consumer";
import { followEvents, Refused } from "@/scripts/cli/listen/follow-events";
import { type Forwarded, startForwarding } from "@/scripts/cli/listen/forward-event";
import { consumerName, lastPosition, listenSecret, savePosition } from "@/scripts/cli/listen/listen-state";
import { type OpenedConsumer, openConsumer, RUN_PREFIX } from "@/scripts/cli/listen/open-consumer";
import { isSuccess } from "@/scripts/cli/listen/post-signed";
import { toTargetUrl } from "@/scripts/cli/listen/target-url";
import type { OwnToken } from "@/scripts/cli/token-commands";

const SAVE_EVERY_MS = 1000;
/** At the end of a run, the instance has this time for the last acknowledgment. */
const LEAVE_MS = 5000;
/** A terminal and npm pass Ctrl+C on at the same time. A later one ends the run at once. */
const SAME_SIGNAL_MS = 500;

interface ListenOptions {
  forwardTo?: string;
  forward?: string;
  types?: string;
  phoneNumbers?: string;
  version?: string;
  after?: string;
  secret?: string;
  fromNow?: true;
  consumer?: string;
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
      "--consumer <name>",
      "keep the place in this consumer of the account, which another machine can continue",
      parseConsumer,
    )
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

function parseConsumer(text: string): string {
  if (!/^[a-z0-9._-]{1,64}$/.test(text)) {
    throw new InvalidArgumentError("Use 1 to 64 of a-z, 0-9, dot, underscore and hyphen.");
  }
  if (text.startsWith(RUN_PREFIX)) {
    throw new InvalidArgumentError(`Names that begin with ${RUN_PREFIX} belong to runs without --consumer.`);
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
  const say = (line: string) => (common.json ? process.stderr : process.stdout).write(`${line}\n`);
  say(`Signing with ${secret}`);
  if (options.check) say(describeCheck(await checkSignatures(forwardTo, secret)));

  const report = (forwarded: Forwarded) => printItem(common, toJson(forwarded), toLine(forwarded));
  const forwarding = startForwarding({ target: forwardTo, secret, report });
  const earlier = lastPosition(listened)?.toString();
  const consumer = await openConsumer({
    client,
    name: options.consumer ?? consumerName(listened),
    isKept: options.consumer !== undefined,
    filters,
    start: options.after ?? (options.fromNow === true ? "now" : undefined),
    earlier,
    say,
  });
  const last = consumer?.position.toString() ?? options.after ?? (options.fromNow ? undefined : earlier);
  if (last !== undefined) say(`Starting after event ${last}.`);
  const save = (position = forwarding.position()) => {
    if (position !== undefined && consumer?.isKept !== true) savePosition(listened, position);
  };
  // Without an earlier run, the next one continues from here even if nothing happened.
  save(consumer?.position);
  const saving = setInterval(save, SAVE_EVERY_MS);
  const feed = consumer && followConsumer({ client, consumer, forwarded: () => forwarding.position(), say });
  endOnSignal(async () => {
    feed?.close();
    await forwarding.finish();
    save();
    if (consumer && feed) await leave(consumer, feed);
  });
  try {
    const events = feed?.events ?? followEvents({ ...client, query: filters, last, say });
    for await (const event of events) {
      if (event.type !== "ready") await forwarding.forward(event);
      else if (last === undefined && forwarding.position() === undefined) save(Number(event.id));
    }
    // A closed feed ends here, and the signal's handler ends the process.
    await new Promise(() => undefined);
  } catch (error) {
    throw error instanceof Refused ? new CliError("denied", error.failure) : error;
  } finally {
    clearInterval(saving);
    save();
  }
}

/** Runs `end` at Ctrl+C, then ends the process. A second Ctrl+C ends it at once. */
function endOnSignal(end: () => Promise<void>): void {
  let endingSince: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (endingSince === undefined) {
        endingSince = performance.now();
        void end().finally(() => process.exit(0));
      } else if (performance.now() - endingSince > SAME_SIGNAL_MS) process.exit(130);
    });
  }
}

/** Acknowledges what was forwarded, and deletes the run's own consumer. What fails is repeated by the next run. */
async function leave(consumer: OpenedConsumer, feed: ConsumerFeed): Promise<void> {
  const left = feed.acknowledge().then(() => consumer.release());
  const tooLong = new Promise((resolve) => setTimeout(resolve, LEAVE_MS));
  await Promise.race([left.catch(() => undefined), tooLong]);
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
