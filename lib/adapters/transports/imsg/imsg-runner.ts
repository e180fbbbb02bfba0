import "server-only";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { explainFailure, problemOf, UNREADABLE } from "@/lib/adapters/transports/imsg/check-imsg";
import { startImsg, stopImsg } from "@/lib/adapters/transports/imsg/imsg-process";
import { createRpc, type ImsgRpc, LaneBlocked } from "@/lib/adapters/transports/imsg/imsg-rpc";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { createSubscriptions } from "@/lib/adapters/transports/imsg/imsg-subscriptions";
import type { LiveEvents } from "@/lib/adapters/transports/imsg/live-events";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { log } from "@/lib/platform/telemetry/log";
import { createBackoff } from "@/lib/platform/time/backoff";

/** A send waits for its verification, which takes up to 150 seconds. */
const SEND_MS = 180_000;
const READ_MS = 20_000;
const CHECK_MS = 15_000;
const RESTART_MS = { leastMs: 500, mostMs: 30_000 };

const Status = z.object({
  database: z.object({ ready: z.boolean() }),
  methods: z.array(z.string()),
});

/** What a runner needs of its line. */
interface RunnerOptions {
  line: LineRef;
  settings: ImsgSettings;
  sink: Sink;
  live: LiveEvents;
  /** Called at the start of each process. Returns the row after which its watch begins. */
  begin(): Promise<number | null>;
  /** Stops the restarts and the waits. */
  signal: AbortSignal;
}

/** The imsg of a line: its process, which is started again when it ends, and whether the line is up. */
export class ImsgRunner {
  readonly #options: RunnerOptions;
  #child: ChildProcessWithoutNullStreams | null = null;
  #rpc: ImsgRpc | null = null;
  #methods: ReadonlySet<string> = new Set();
  #reported: { up: boolean; reason: string | null } | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Runs processes of imsg until the signal. */
  async keepRunning(): Promise<void> {
    const { line, signal } = this.#options;
    const backoff = createBackoff(RESTART_MS);
    // Messages wait while the line is down. Otherwise a slow start would use up their attempts.
    await this.#report(false, "imsg is starting.");
    while (!signal.aborted) {
      const reason = await this.#run(() => backoff.reset()).catch((error: unknown) => problemOf(error));
      if (signal.aborted) return;
      log.warn({ lineId: line.id, reason }, "imsg can't be used for a line");
      await this.#report(false, reason);
      await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Stops the process. Without the signal, another one is started. */
  async stopProcess(): Promise<void> {
    if (this.#child !== null) await stopImsg(this.#child);
  }

  /** Whether requests can be made. */
  get isRunning(): boolean {
    return this.#rpc !== null;
  }

  /** Throws AdapterError `line_down` while imsg is not running, because its methods are unknown. */
  isUsable(method: string): boolean {
    this.requireRunning();
    return this.#methods.has(method);
  }

  /** Throws AdapterError `line_down` while imsg is not running. */
  requireRunning(): ImsgRpc {
    if (this.#rpc === null) throw new AdapterError("line_down", "imsg is not running");
    return this.#rpc;
  }

  /** Calls a method that takes no longer than a read. Throws AdapterError. */
  read(method: string, params: Record<string, unknown>): Promise<unknown> {
    return this.call(method, params, READ_MS);
  }

  /** Calls a method, and restarts imsg when it can't perform further changes. Throws AdapterError. */
  async call(method: string, params: Record<string, unknown>, timeoutMs = SEND_MS): Promise<unknown> {
    const rpc = this.requireRunning();
    try {
      return await rpc.request(method, params, timeoutMs);
    } catch (error) {
      if (error instanceof LaneBlocked && this.#child !== null) {
        this.#rpc = null;
        void stopImsg(this.#child);
      }
      throw error;
    }
  }

  /**
   * Runs one process of imsg until it ends or can't be used any more, and returns why. Calls `onOpen` once it can be
   * used.
   */
  async #run(onOpen: () => void): Promise<string> {
    const { settings } = this.#options;
    const child = startImsg(settings);
    this.#child = child;
    const ended = Promise.race([once(child, "exit"), once(child, "error")]).catch((error: unknown) => [
      error,
    ]);
    try {
      await this.#use(child, ended, onOpen);
      return await explainFailure({ child, ended, settings }, new Error("imsg has to start again."));
    } catch (error) {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        return problemOf(error);
      }
      return explainFailure({ child, ended, settings }, error);
    } finally {
      this.#rpc = null;
      if (child.exitCode === null) await stopImsg(child);
    }
  }

  /** Opens a process and uses it until it ends or has to start again. */
  async #use(
    child: ChildProcessWithoutNullStreams,
    ended: Promise<unknown[]>,
    onOpen: () => void,
  ): Promise<void> {
    const { live, begin, signal } = this.#options;
    const subscriptions = createSubscriptions({
      request: (method, params) => rpc.request(method, params, READ_MS),
      isUsable: (method) => this.#methods.has(method),
      signal,
    });
    const rpc: ImsgRpc = createRpc(child, (method, params) => {
      if (method === "message") live.takeMessage(params.message, subscriptions.noteCursor);
      else if (method === "bridge.event") live.takeTyping(params);
      else subscriptions.ended(method, params);
    });
    const isReady = await this.#checkStatus(rpc, "initialize", { protocol_version: 1 });
    this.#rpc = rpc;
    if (isReady) await subscriptions.watch(await begin());
    await subscriptions.events();
    await this.#report(isReady, isReady ? null : UNREADABLE);
    onOpen();
    await Promise.race([ended, this.#watchHealth(rpc, subscriptions.events), subscriptions.failed]);
  }

  /** Returns whether the database is ready, and notes what can be used. */
  async #checkStatus(rpc: ImsgRpc, method: string, params: Record<string, unknown>): Promise<boolean> {
    const status = Status.parse(await rpc.request(method, params, READ_MS));
    this.#methods = new Set(status.methods);
    return status.database.ready;
  }

  async #watchHealth(rpc: ImsgRpc, subscribeEvents: () => Promise<void>): Promise<void> {
    for (;;) {
      await sleep(CHECK_MS, undefined, { signal: this.#options.signal });
      const isReady = await this.#checkStatus(rpc, "status", {});
      // A database that came back may be another file, whose messages need a subscription of their own.
      if (isReady && this.#reported?.up === false) return;
      // The bridge may have been started since.
      await subscribeEvents();
      await this.#report(isReady, isReady ? null : UNREADABLE);
    }
  }

  async #report(up: boolean, reason: string | null): Promise<void> {
    if (this.#reported?.up === up && this.#reported.reason === reason) return;
    const { line, sink } = this.#options;
    try {
      await sink.receive(line, [{ type: "line", up, ...(reason !== null && { reason }) }]);
      this.#reported = { up, reason };
    } catch (error) {
      log.warn({ err: error, lineId: line.id }, "the state of a line could not be stored");
    }
  }
}
