import type { Command } from "commander";
import type { ApiClient } from "@/scripts/cli/api-client";
import { clientOf, connectionOf, globalOptions, print, printItem } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { followEvents } from "@/scripts/cli/listen/follow-events";
import { parseCount, parseSince } from "@/scripts/cli/parse-duration";

const STATE_CONFLICT = 2015;

interface TailOptions {
  types?: string;
  phoneNumbers?: string;
  after?: string;
}

interface ReplayOptions {
  failed?: true;
  missed?: true;
  delivered?: true;
  since?: string;
  types?: string;
  subscription?: string;
  rate?: number;
}

interface Subscription {
  id: string;
  target_url: string;
  is_active: boolean;
}

interface Replay {
  id: string;
  subscription_id: string;
  state: string;
  total: number;
}

/** Adds `events tail`, `events replay` and `events cancel-replay`. */
export function addEventCommands(program: Command): void {
  const events = program.command("events").description("follow events, or deliver them to webhooks again");

  events
    .command("tail")
    .description("print events as they happen, as webhooks deliver them")
    .option("--types <types>", "only these event types, separated by commas")
    .option("--phone-numbers <lines>", "only events of these lines, separated by commas")
    .option("--after <number>", "start after this event number (default: new events only)")
    .action(async (options: TailOptions, command: Command) => {
      const common = globalOptions(command);
      const { url, token } = clientOf(common);
      const query = { types: options.types, phone_numbers: options.phoneNumbers };
      const say = (line: string) => process.stderr.write(`${line}\n`);
      for await (const event of followEvents({ url, token, query, last: options.after, say })) {
        if (event.type === "ready") say(`Waiting for events of ${connectionOf(common).url}`);
        else printItem(common, JSON.parse(event.data), `${event.id}  ${event.type}  ${event.data}`);
      }
    });

  events
    .command("replay")
    .description("deliver events to webhook endpoints again, oldest first")
    .option("--failed", "events whose delivery failed or was skipped (default)")
    .option("--missed", "events that the endpoint would have received if it had existed")
    .option("--delivered", "events that were delivered already")
    .option("--since <time>", "only events from then on: a duration such as 2h, or a time", parseSince)
    .option("--types <types>", "only these event types, separated by commas")
    .option("--subscription <id>", "only this webhook subscription (default: all active ones)")
    .option("--rate <number>", "events per second, at most 1000", parseCount)
    .addHelpText(
      "after",
      `
Examples:
  trunkline events replay --failed --since 2h
  trunkline events replay --missed --since 1d --types message.received --subscription 019ca9c2-…`,
    )
    .action(async (options: ReplayOptions, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const replays: (Partial<Replay> & { subscription_id: string; total: number })[] = [];
      for (const { id } of await targetsOf(client, options)) replays.push(await replay(client, id, options));
      const total = replays.reduce((sum, each) => sum + each.total, 0);
      const lines = replays.map(
        (each) => `${each.subscription_id}  ${each.total} events  ${each.id ?? "nothing to replay"}`,
      );
      print(common, { total, replays }, [...lines, `${total} events are delivered again.`]);
    });

  events
    .command("cancel-replay")
    .description("cancel replays that have not ended; events that they have not sent are not sent")
    .option("--subscription <id>", "only this webhook subscription (default: all active ones)")
    .action(async (options: Pick<ReplayOptions, "subscription">, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      const canceled: Replay[] = [];
      for (const { id } of await targetsOf(client, options)) canceled.push(...(await cancel(client, id)));
      const lines = canceled.map((each) => `${each.subscription_id}  ${each.id}  canceled`);
      print(common, { canceled }, lines.length === 0 ? "No replay is running." : lines);
    });
}

async function targetsOf(client: ApiClient, { subscription }: ReplayOptions): Promise<{ id: string }[]> {
  if (subscription !== undefined) return [{ id: subscription }];
  const { subscriptions } = await client.call<{ subscriptions: Subscription[] }>(
    "GET /v3/webhook-subscriptions",
  );
  const active = subscriptions.filter(({ is_active }) => is_active);
  if (active.length === 0) throw new CliError("failed", "The account has no active webhook subscription.");
  return active;
}

function statusesOf({ failed, missed, delivered }: ReplayOptions): string[] {
  const isDefault = failed === true || (missed !== true && delivered !== true);
  return [
    ...(isDefault ? ["failed", "skipped"] : []),
    ...(missed === true ? ["never_owed"] : []),
    ...(delivered === true ? ["delivered"] : []),
  ];
}

async function replay(client: ApiClient, subscriptionId: string, options: ReplayOptions) {
  const filter = {
    statuses: statusesOf(options),
    types: options.types?.split(",") ?? [],
    ...(options.since !== undefined && { from: options.since }),
  };
  try {
    return await client.call<Replay>(
      `POST /v3/webhook-subscriptions/${encodeURIComponent(subscriptionId)}/replays`,
      { body: { filter, ...(options.rate !== undefined && { per_second: options.rate }) } },
    );
  } catch (error) {
    if (!isNothingToReplay(error)) throw error;
    return { subscription_id: subscriptionId, total: 0 };
  }
}

/** Cancels the replay of a subscription. Returns no replay if none is running. */
async function cancel(client: ApiClient, subscriptionId: string): Promise<Replay[]> {
  try {
    const path = `/v3/webhook-subscriptions/${encodeURIComponent(subscriptionId)}/replays` as const;
    return [await client.call<Replay>(`DELETE ${path}`)];
  } catch (error) {
    if (error instanceof CliError && error.failure.code === STATE_CONFLICT) return [];
    throw error;
  }
}

// 2015 also means that another replay runs.
function isNothingToReplay(error: unknown): boolean {
  return (
    error instanceof CliError &&
    error.failure.code === STATE_CONFLICT &&
    /nothing to replay/.test(error.message)
  );
}
