import type { ApiClient } from "@/scripts/cli/api-client";
import { CliError } from "@/scripts/cli/cli-error";
import {
  CONFLICT,
  codeOf,
  DENIED,
  EXPIRED,
  isUnknownRoute,
  UNKNOWN_CONSUMER,
  untilAnswered,
} from "@/scripts/cli/listen/try-again";

/** Names of the consumers of runs. Each run deletes its own at its end; those of killed runs are deleted for room. */
export const RUN_PREFIX = "listen-";
/** Turns belong to webhook subscriptions. */
const STREAM_ONLY = "chat.turn";
const ABANDONED_MS = 86_400_000;

/** A consumer of the API, as far as `listen` reads it. */
interface Consumer {
  name: string;
  start: string;
  types: string[];
  phone_numbers: string[] | null;
  version: string;
  position: string;
  leased_until: string | null;
  last_polled_at: string | null;
}

export interface OpenOptions {
  client: ApiClient;
  name: string;
  /** Whether the consumer stays when the run ends. Otherwise it is the run's own. */
  isKept: boolean;
  /** The query that the event stream would have. */
  filters: Readonly<Record<string, string | undefined>>;
  /** `now`, or an event number to start after. undefined continues where the consumer is. */
  start: string | undefined;
  /** The last event that an earlier run posted, for a consumer that is new. */
  earlier: string | undefined;
  say(line: string): void;
}

/** A consumer that a run follows. */
export interface OpenedConsumer {
  path: `/v3/consumers/${string}`;
  /** All events up to this number were acknowledged before. */
  position: number;
  isKept: boolean;
  /** Continues with the oldest event, after telling which ones are lost. */
  skipLost(error: unknown, after: string): Promise<void>;
  /** Creates the consumer again after it was deleted, to continue after an event. */
  recreate(after: number): Promise<void>;
  /** Deletes the run's own consumer. Its place is on this machine. */
  release(): Promise<void>;
}

/**
 * Creates or continues a consumer of the instance. Returns null, after saying why, when the run has to follow the event
 * stream instead: an older instance, a token that may not manage consumers, or an account without room for one. A kept
 * consumer has no such substitute. Errors: as `ApiClient.call`.
 */
export async function openConsumer(options: OpenOptions): Promise<OpenedConsumer | null> {
  const { name, isKept, filters, say } = options;
  const follow = (reason: string) => say(`Following the event stream, because ${reason}.`);
  if (list(filters.types)?.includes(STREAM_ONLY)) {
    if (isKept)
      throw new CliError("usage", "Consumers have no chat.turn. Leave out --consumer or this type.");
    follow("consumers have no chat.turn");
    return null;
  }
  const path = `/v3/consumers/${name}` as const;
  let consumer: Consumer;
  try {
    consumer = await untilAnswered(say, () => (isKept ? findOrCreate(options, path) : create(options, path)));
  } catch (error) {
    const reason = isKept ? undefined : reasonForStream(error);
    if (reason === undefined) throw error;
    follow(reason);
    return null;
  }
  const isNew = consumer.last_polled_at === null;
  const after = options.start ?? (isNew ? options.earlier : undefined);
  // The lease of a killed run would hold up this one. A kept consumer may be another run's.
  const taken = consumer.leased_until === null || isKept ? undefined : consumer.position;
  const wanted = after ?? taken;
  const position = wanted === undefined ? consumer.position : await seek(options, path, wanted);
  return toOpened(options, path, consumer, Number(position));
}

function toOpened(
  options: OpenOptions,
  path: OpenedConsumer["path"],
  { start, types, phone_numbers, version }: Consumer,
  position: number,
): OpenedConsumer {
  const { client, isKept, say } = options;
  return {
    path,
    position,
    isKept,
    skipLost: (error, after) => skipLost(options, path, error, after),
    async recreate(after) {
      const body = { start, types, phone_numbers, version };
      await untilAnswered(say, () => client.call(`PUT ${path}`, { body }));
      await seek(options, path, String(after));
    },
    async release() {
      if (!isKept) await client.call(`DELETE ${path}`);
    },
  };
}

function reasonForStream(error: unknown): string | undefined {
  if (isUnknownRoute(error)) return "this instance has no consumers";
  if (codeOf(error) === CONFLICT) return "the account has no room for another consumer";
  return codeOf(error) === DENIED ? "this token may not manage consumers" : undefined;
}

function bodyOf(filters: OpenOptions["filters"], start: string): object {
  const [types, phone_numbers] = [list(filters.types), list(filters.phone_numbers)];
  return {
    start,
    ...(types !== undefined && { types }),
    ...(phone_numbers !== undefined && { phone_numbers }),
    ...(filters.version !== undefined && { version: filters.version }),
  };
}

async function create(options: OpenOptions, path: OpenedConsumer["path"]): Promise<Consumer> {
  const { client, filters } = options;
  const put = () => client.call<Consumer>(`PUT ${path}`, { body: bodyOf(filters, "now") });
  try {
    return await put();
  } catch (error) {
    if (codeOf(error) !== CONFLICT || !(await deleteAbandoned(client))) throw error;
    return put();
  }
}

/** Deletes the consumers of runs that ended without doing so. Their places are on their machines. */
async function deleteAbandoned(client: ApiClient): Promise<boolean> {
  const { consumers } = await client.call<{ consumers: (Consumer & { created_at: string })[] }>(
    "GET /v3/consumers",
  );
  const abandoned = consumers.filter(({ name, last_polled_at, created_at }) => {
    const idleMs = Date.now() - Date.parse(last_polled_at ?? created_at);
    return name.startsWith(RUN_PREFIX) && idleMs > ABANDONED_MS;
  });
  for (const { name } of abandoned) {
    await client.call(`DELETE /v3/consumers/${name}`).catch((error) => {
      if (codeOf(error) !== UNKNOWN_CONSUMER) throw error;
    });
  }
  return abandoned.length > 0;
}

/** A kept consumer as it is. With filters, they must be those that it has. */
async function findOrCreate(
  { client, filters, start }: OpenOptions,
  path: OpenedConsumer["path"],
): Promise<Consumer> {
  try {
    const found = await client.call<Consumer>(`GET ${path}`);
    if (Object.values(filters).every((filter) => filter === undefined)) return found;
    return await client.call<Consumer>(`PUT ${path}`, { body: bodyOf(filters, found.start) });
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CONSUMER) throw error;
    return client.call<Consumer>(`PUT ${path}`, { body: bodyOf(filters, start ?? "now") });
  }
}

/** Moves the consumer and returns its position. */
async function seek(options: OpenOptions, path: OpenedConsumer["path"], after: string): Promise<string> {
  try {
    const body = { after };
    const moved = await untilAnswered(options.say, () =>
      options.client.call<Consumer>(`POST ${path}/seek`, { body }),
    );
    return moved.position;
  } catch (error) {
    if (codeOf(error) !== EXPIRED) throw error;
    await skipLost(options, path, error, after);
    return "0";
  }
}

async function skipLost(
  { client, say }: OpenOptions,
  path: OpenedConsumer["path"],
  error: unknown,
  after: string,
): Promise<void> {
  const oldest = error instanceof CliError ? error.failure.oldest : null;
  const next = oldest == null ? "new events" : `the oldest, event ${oldest}`;
  say(`The log no longer has all events after ${after}. Continuing with ${next}.`);
  await untilAnswered(say, () => client.call(`POST ${path}/seek`, { body: { after: "oldest" } }));
}

function list(text: string | undefined): string[] | undefined {
  return text?.split(",").filter((each) => each !== "");
}
