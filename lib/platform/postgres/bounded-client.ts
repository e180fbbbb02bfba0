import pg from "pg";

/** Time limit for opening a connection, and for waiting for a free connection of the pool. */
const CONNECT_MS = 4000;
/**
 * The server cancels a statement at its limit and reports an error. A server that sends nothing for this much longer
 * is unresponsive.
 */
const SILENCE_MS = 1000;
const KEEP_ALIVE_MS = 5000;
/** The server ends a transaction whose client is idle for this long, because its locks block other transactions. */
const IDLE_TRANSACTION_MS = 60_000;

interface BoundedOptions {
  url: string;
  applicationName: string;
  /** Time limit for one statement in ms. 0 = no limit, for migrations. */
  statementMs: number;
  /** Additional session settings. */
  settings?: Readonly<Record<string, string | number>>;
}

/** Options of a client whose session settings are made by a statement after connecting. */
interface SessionOptions extends pg.ClientConfig {
  sessionSettings?: Readonly<Record<string, string | number>>;
}

const shared = globalThis as typeof globalThis & { trunklineSettingsByStatement?: boolean };

/**
 * Decides how this process's connections get their session settings: in the startup packet, which needs no round
 * trip, or with a statement of `BoundedClient`. A pooler such as PgBouncer rejects or drops the startup parameter.
 */
export function makeSettingsByStatement(byStatement: boolean): void {
  shared.trunklineSettingsByStatement = byStatement;
}

/**
 * Options of a connection on which every wait has a time limit: connecting, statements (on the server, and here when
 * the server is unresponsive), a lost network, and transactions of a lost client.
 */
export function boundedOptions({
  url,
  applicationName,
  statementMs,
  settings,
}: BoundedOptions): SessionOptions {
  const session = {
    ...settings,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs === 0 ? 0 : IDLE_TRANSACTION_MS,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  };
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(shared.trunklineSettingsByStatement === true
      ? { sessionSettings: session }
      : { options: toStartupOptions(session) }),
    ...(statementMs > 0 && { query_timeout: unresponsiveAfterMs(statementMs) }),
  };
}

function toStartupOptions(session: Readonly<Record<string, string | number>>): string {
  return Object.entries(session)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** The time after which a server is considered unresponsive that should have ended a statement after `statementMs`. */
export function unresponsiveAfterMs(statementMs: number): number {
  return statementMs + SILENCE_MS;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Whether the server sent nothing for longer than the statement's limit. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/**
 * A client that closes its connection when a statement gets no response in time. A late response would otherwise be
 * read as the response to the connection's next statement. Emits `silent` when this happens.
 */
export class BoundedClient extends pg.Client {
  readonly #settings: [name: string, value: string | number][];

  constructor(options?: SessionOptions) {
    super(options);
    // A connection can be lost while nothing listens: right after it opened, or between two statements of a transaction.
    // The next statement fails and reports it; an error event without a listener would end the process.
    this.on("error", () => undefined);
    this.#settings = Object.entries(options?.sessionSettings ?? {});
    const query = (...parameters: unknown[]): unknown => {
      const running: unknown = Reflect.apply(pg.Client.prototype.query, this, parameters);
      if (running instanceof Promise) running.catch((error: unknown) => this.#dropWhenSilent(error));
      return running;
    };
    this.query = query as pg.Client["query"];
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#connectWithSettings();
    if (callback === undefined) return connected;
    const done = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then((client) => done(null, client), done);
    return undefined;
  }

  async #connectWithSettings(): Promise<pg.Client> {
    await super.connect();
    if (this.#settings.length === 0) return this;
    const settings = this.#settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
    const values = this.#settings.flatMap(([name, value]) => [name, String(value)]);
    await this.query(`select ${settings.join(", ")}`, values);
    return this;
  }

  #dropWhenSilent(error: unknown): void {
    if (!isSilence(error)) return;
    this.drop("the database did not respond in time");
    this.emit("silent");
  }

  /** Closes the connection immediately. All pending statements fail as with a lost connection. */
  drop(reason: string): void {
    this.connection.stream.destroy(Object.assign(new Error(reason), { code: "ETIMEDOUT" }));
  }
}
