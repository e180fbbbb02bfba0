import "server-only";
import { randomUUID } from "node:crypto";
import { createLineState, outageReason } from "@/lib/adapters/transports/line-state";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { holdSessions, letGoOfSessions, sessionTransports } from "@/lib/lines/connections/held-sessions";
import { openConnection } from "@/lib/lines/connections/line-connection";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { onWake, wakeLocally } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

const LEASE_SECONDS = 15;
const LOOK_MS = 3000;
/** While no line has sessions, every so many looks are made. A new line is announced by a wake-up. */
const QUIET_FACTOR = 5;

type SessionLine = RowOf<"find-session-lines">;

interface OpenSession {
  accountId: string;
  /** Changes when the line gets another connection or transport. */
  version: string;
  running: Running;
}

/**
 * Keeps the sessions of lines whose transport has `sessions`. An account's sessions are all in one worker process,
 * which renews a lease on them. After a shutdown another process takes them over at once, after a crash when the lease
 * has ended. A process that can't renew its lease closes its sessions before the lease ends. Does nothing when no
 * transport has sessions.
 */
export function startLineSessions(sink: Sink, lookMs = LOOK_MS): Running {
  if (sessionTransports().length === 0) return { stop: async () => {} };
  const keeper = new SessionKeeper(sink);
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): void {
    again = true;
    looking ??= lookUntilDone().finally(() => {
      looking = null;
      // Asked for since the last look.
      if (again && !stopped) look();
    });
  }

  async function lookUntilDone(): Promise<void> {
    while (again && !stopped) {
      again = false;
      await keeper
        .look()
        .catch((error: unknown) => log.warn({ err: error }, "sessions could not be renewed"));
      await keeper.closeExpired();
    }
  }

  let ticks = 0;
  const timer = setInterval(() => {
    if (keeper.hasLines || ++ticks % QUIET_FACTOR === 0) look();
  }, lookMs);
  const unsubscribe = onWake("lines", look);
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
      await looking;
      await keeper.stop();
    },
  };
}

/** The sessions that are open in this process, and the leases on their accounts. */
class SessionKeeper {
  readonly #sink: Sink;
  readonly #owner = randomUUID();
  readonly #open = new Map<string, OpenSession>();
  readonly #leases = new Map<string, number>();
  /** The versions of lines whose settings can't be used, so that each is logged once. */
  readonly #unusable = new Map<string, string>();
  #hasLines = true;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Whether any line had sessions at the last look, in whatever process. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  /** Claims accounts and renews their leases, and opens and closes sessions accordingly. */
  async look(): Promise<void> {
    const startedAt = performance.now();
    const found = await claimAccounts(this.#owner);
    this.#hasLines = found.length > 0;
    const accounts = found.flatMap(({ account_id, is_own }) => (is_own ? account_id : []));
    const gained = accounts.filter((accountId) => !this.#leases.has(accountId));
    for (const accountId of accounts) {
      const untilMs = startedAt + LEASE_SECONDS * 1000;
      this.#leases.set(accountId, untilMs);
    }
    // Another process has these accounts, or they have no lines left with sessions.
    const gone = [...this.#leases.keys()].filter((accountId) => !accounts.includes(accountId));
    await this.#closeAccounts(gone);
    const lines = accounts.length === 0 ? [] : await findSessionLines(accounts);
    await this.#closeGone(new Map(lines.map((line) => [line.id, versionOf(line)])), accounts);
    for (const line of lines) this.#openSession(line);
    for (const accountId of accounts) holdSessions(accountId, this.#leases.get(accountId) ?? 0);
    if (gained.length > 0) {
      wakeLocally("messages");
      wakeLocally("actions");
      wakeLocally("lines");
    }
  }

  /** Closes the sessions whose lease was not renewed in time, before another process can open them. */
  async closeExpired(): Promise<void> {
    const soon = performance.now() + LOOK_MS;
    const expired = [...this.#leases].flatMap(([accountId, untilMs]) => (untilMs < soon ? accountId : []));
    await this.#closeAccounts(expired);
  }

  async stop(): Promise<void> {
    await this.#closeAccounts([...this.#leases.keys()]);
    await releaseLeases(this.#owner).catch((error: unknown) =>
      log.warn({ err: error }, "the leases of sessions could not be released"),
    );
    sql.wake("lines");
  }

  #openSession(line: SessionLine): void {
    if (this.#open.has(line.id) || this.#unusable.get(line.id) === versionOf(line)) return;
    try {
      const ref = lineOf(line);
      const running = transportOf(line.transport).sessions?.open(
        ref,
        openConnection(ref, line.connection),
        this.#sink,
      );
      if (running === undefined) return;
      this.#open.set(line.id, { accountId: line.account_id, version: versionOf(line), running });
    } catch (error) {
      this.#unusable.set(line.id, versionOf(line));
      log.error({ err: error, lineId: line.id }, "the session of a line could not be opened");
      const reason = `the session could not be opened: ${outageReason(error)}`;
      void createLineState(lineOf(line), this.#sink).down(new Error(reason));
    }
  }

  async #closeGone(versions: ReadonlyMap<string, string>, accounts: readonly string[]): Promise<void> {
    const kept = new Set(accounts);
    const gone = [...this.#open].filter(
      ([id, { accountId, version }]) => kept.has(accountId) && versions.get(id) !== version,
    );
    await Promise.all(gone.map(([id]) => this.#close(id)));
  }

  async #closeAccounts(accountIds: readonly string[]): Promise<void> {
    await Promise.all(accountIds.map((accountId) => this.#closeAccount(accountId)));
  }

  async #closeAccount(accountId: string): Promise<void> {
    this.#leases.delete(accountId);
    letGoOfSessions(accountId);
    const ids = [...this.#open].flatMap(([id, session]) => (session.accountId === accountId ? id : []));
    await Promise.all(ids.map((id) => this.#close(id)));
  }

  async #close(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.running
      .stop()
      .catch((error: unknown) => log.warn({ err: error, lineId: id }, "a session did not close cleanly"));
  }
}

const CLAIM_LINE_SESSIONS = statement(
  "claim-line-sessions",
  `with wanted as (
    select distinct l.account_id from lines l
    where l.transport = any(:sessionTransports::text[]) and l.connection is not null and l.released_at is null
      and not l.is_stopped
  ), claimed as (
    insert into session_leases as lease (account_id, owner, lease_until)
    select account_id, :owner::uuid, clock_timestamp() + interval '${LEASE_SECONDS} seconds' from wanted
    order by 1
    on conflict (account_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
      where lease.owner = excluded.owner or lease.lease_until < clock_timestamp()
    returning account_id
  )
  select w.account_id, c.account_id is not null as is_own from wanted w left join claimed c using (account_id)`,
);

/**
 * Claims the free accounts that have lines with sessions, and renews the claimed ones. Returns all accounts with such
 * lines, and whether this process has them.
 */
function claimAccounts(owner: string): Promise<{ account_id: string; is_own: boolean }[]> {
  return sql.run(CLAIM_LINE_SESSIONS, { sessionTransports: sessionTransports(), owner });
}

const FIND_SESSION_LINES = statement(
  "find-session-lines",
  `select l.account_id, l.id, l.phone_number, l.line_type, l.transport, l.connection,
    l.connection_number from lines l
  where l.account_id = any(:accounts::uuid[]) and l.transport = any(:sessionTransports::text[]) and l.connection is not null
    and l.released_at is null and not l.is_stopped`,
);

function findSessionLines(accounts: readonly string[]): Promise<SessionLine[]> {
  return sql.run(FIND_SESSION_LINES, { accounts, sessionTransports: sessionTransports() });
}

const RELEASE_SESSION_LEASES = plannedStatement(
  "release-session-leases",
  "delete from session_leases where owner = :owner",
);

async function releaseLeases(owner: string): Promise<void> {
  await sql.run(RELEASE_SESSION_LEASES, { owner });
}

function versionOf({ transport, connection, connection_number }: SessionLine): string {
  return `${transport} ${connection_number} ${connection.toString("base64")}`;
}

function lineOf({ account_id, id, phone_number, line_type, connection_number }: SessionLine): LineRef {
  return {
    accountId: account_id,
    id,
    phoneNumber: phone_number,
    lineType: line_type,
    connectionNumber: connection_number,
  };
}
