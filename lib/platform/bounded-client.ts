import pg from "pg";

/** How long opening a connection, and waiting for one of the pool, may take. */
const CONNECT_MS = 4000;
/** The server ends a statement at its bound and says so; a server that has not answered so long after is silent. */
const SILENCE_MS = 1000;
const KEEP_ALIVE_MS = 5000;
/** The server ends a transaction whose client has said nothing for so long: its locks would hold up everybody else. */
const IDLE_TRANSACTION_MS = 60_000;

interface BoundedOptions {
  url: string;
  applicationName: string;
  /** How long one statement may take, in ms; 0 = without a bound, for migrations. */
  statementMs: number;
  /** More settings of the session. */
  settings?: Readonly<Record<string, string | number>>;
}

/** The options of a client, with settings of its session that are made by a statement after connecting. */
interface SessionOptions extends pg.ClientConfig {
  sessionSettings?: Readonly<Record<string, string | number>>;
}

const shared = globalThis as typeof globalThis & { trunklineSettingsByStatement?: boolean };

/**
 * Decides how connections of this process get the settings of their sessions: at their startup, which takes no round
 * trip, or by a statement of `BoundedClient`. A pooler such as PgBouncer refuses or drops the startup parameter.
 */
export function makeSettingsByStatement(byStatement: boolean): void {
  shared.trunklineSettingsByStatement = byStatement;
}

/**
 * The options of a connection whose every wait has an end: connecting, statements (on the server, and here when the
 * server says nothing), a network that is gone, and transactions whose client is gone.
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
    ...(statementMs > 0 && { query_timeout: silentAfter(statementMs) }),
  };
}

function toStartupOptions(session: Readonly<Record<string, string | number>>): string {
  return Object.entries(session)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** When a server is taken to be silent that should have ended a statement after `statementMs`. */
export function silentAfter(statementMs: number): number {
  return statementMs + SILENCE_MS;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Whether the server said nothing for longer than a statement's bound. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/**
 * A client that closes its connection when a statement gets no answer in time: the answer may still come, and the next
 * user of the connection would take it for the answer to its own statement. Emits `silent` then.
 */
export class BoundedClient extends pg.Client {
  readonly #settings: [name: string, value: string | number][];

  constructor(options?: SessionOptions) {
    super(options);
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
    this.drop(new Error("the database did not respond in time"));
    this.emit("silent");
  }

  /** Closes the connection at once; whatever still waits on it fails. */
  drop(reason: Error): void {
    this.connection.stream.destroy(reason);
  }
}
