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
import { onWake, wakeLocally } from "@/lib/platform/database/wake";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";

const LEASE_SECONDS = 15;
const LOOK_MS = 3000;
/** While no line has sessions, every so many looks are made. A new line is announced by a wake-up. */
const QUIET_FACTOR = 5;

interface SessionLine {
  account_id: string;
  id: string;
  phone_number: string;
  line_type: ServiceType;
  transport: string;
  connection: Buffer;
  connection_number: number;
}

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
  const keeper = createKeeper(sink);
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): void {
    again = true;
    looking ??= lookUntilDone().finally(() => {
      looking = null;
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
    if (keeper.hasLines() || ++ticks % QUIET_FACTOR === 0) look();
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

function createKeeper(sink: Sink) {
  const owner = randomUUID();
  const open = new Map<string, OpenSession>();
  const leases = new Map<string, number>();
  /** The versions of lines whose settings can't be used, so that each is logged once. */
  const unusable = new Map<string, string>();
  let hasLines = true;

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const found = await claimAccounts(owner);
    hasLines = found.length > 0;
    const accounts = found.flatMap(({ account_id, is_own }) => (is_own ? account_id : []));
    const gained = accounts.filter((accountId) => !leases.has(accountId));
    for (const accountId of accounts) {
      const untilMs = startedAt + LEASE_SECONDS * 1000;
      leases.set(accountId, untilMs);
    }
    // Another process has these accounts, or they have no lines left with sessions.
    const gone = [...leases.keys()].filter((accountId) => !accounts.includes(accountId));
    await Promise.all(gone.map(closeAccount));
    const lines = accounts.length === 0 ? [] : await findSessionLines(accounts);
    await closeGone(new Map(lines.map((line) => [line.id, versionOf(line)])), accounts);
    for (const line of lines) openSession(line);
    for (const accountId of accounts) holdSessions(accountId, leases.get(accountId) ?? 0);
    if (gained.length > 0) {
      wakeLocally("messages");
      wakeLocally("actions");
      wakeLocally("lines");
    }
  }

  function openSession(line: SessionLine): void {
    if (open.has(line.id) || unusable.get(line.id) === versionOf(line)) return;
    try {
      const ref = lineOf(line);
      const running = transportOf(line.transport).sessions?.open(
        ref,
        openConnection(ref, line.connection),
        sink,
      );
      if (running === undefined) return;
      open.set(line.id, { accountId: line.account_id, version: versionOf(line), running });
    } catch (error) {
      unusable.set(line.id, versionOf(line));
      log.error({ err: error, lineId: line.id }, "the session of a line could not be opened");
      const reason = `the session could not be opened: ${outageReason(error)}`;
      void createLineState(lineOf(line), sink).down(new Error(reason));
    }
  }

  async function closeGone(
    versions: ReadonlyMap<string, string>,
    accounts: readonly string[],
  ): Promise<void> {
    const kept = new Set(accounts);
    const gone = [...open].filter(
      ([id, { accountId, version }]) => kept.has(accountId) && versions.get(id) !== version,
    );
    await Promise.all(gone.map(([id]) => close(id)));
  }

  async function close(id: string): Promise<void> {
    const session = open.get(id);
    open.delete(id);
    await session?.running
      .stop()
      .catch((error: unknown) => log.warn({ err: error, lineId: id }, "a session did not close cleanly"));
  }

  async function closeAccount(accountId: string): Promise<void> {
    leases.delete(accountId);
    letGoOfSessions(accountId);
    const ids = [...open].flatMap(([id, session]) => (session.accountId === accountId ? id : []));
    await Promise.all(ids.map(close));
  }

  return {
    look,
    /** Whether any line had sessions at the last look, in whatever process. */
    hasLines: () => hasLines,
    /** Closes the sessions whose lease was not renewed in time, before another process can open them. */
    async closeExpired() {
      const soon = performance.now() + LOOK_MS;
      const expired = [...leases].flatMap(([accountId, untilMs]) => (untilMs < soon ? accountId : []));
      await Promise.all(expired.map(closeAccount));
    },
    async stop() {
      await Promise.all([...leases.keys()].map(closeAccount));
      await releaseLeases(owner).catch((error: unknown) =>
        log.warn({ err: error }, "the leases of sessions could not be released"),
      );
      sql.wake("lines");
    },
  };
}

/**
 * Claims the free accounts that have lines with sessions, and renews the claimed ones. Returns all accounts with such
 * lines, and whether this process has them.
 */
function claimAccounts(owner: string): Promise<{ account_id: string; is_own: boolean }[]> {
  return sql.query({
    name: "claim-line-sessions",
    text: `with wanted as (
             select distinct l.account_id from lines l
             where l.transport = any($1::text[]) and l.connection is not null and l.released_at is null
               and not l.is_stopped
           ), claimed as (
             insert into session_leases as lease (account_id, owner, lease_until)
             select account_id, $2::uuid, clock_timestamp() + interval '${LEASE_SECONDS} seconds' from wanted
             order by 1
             on conflict (account_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
               where lease.owner = excluded.owner or lease.lease_until < clock_timestamp()
             returning account_id
           )
           select w.account_id, c.account_id is not null as is_own from wanted w left join claimed c using (account_id)`,
    values: [sessionTransports(), owner],
  });
}

function findSessionLines(accounts: readonly string[]): Promise<SessionLine[]> {
  return sql.query<SessionLine>({
    name: "find-session-lines",
    text: `select l.account_id, l.id, l.phone_number, l.line_type, l.transport, l.connection,
             l.connection_number from lines l
           where l.account_id = any($1::uuid[]) and l.transport = any($2::text[]) and l.connection is not null
             and l.released_at is null and not l.is_stopped`,
    values: [accounts, sessionTransports()],
  });
}

async function releaseLeases(owner: string): Promise<void> {
  await sql.query({ text: "delete from session_leases where owner = $1", values: [owner] });
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
