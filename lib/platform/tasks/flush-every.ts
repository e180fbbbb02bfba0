import "server-only";
import { log } from "@/lib/platform/telemetry/log";

export interface FlushOptions {
  /** The name of the flushed data in the log when flushing fails. */
  name: string;
  everyMs: number;
  /** Writes everything collected since the last flush. Errors are logged. */
  flush(): Promise<void>;
}

export interface Flushing {
  /** Flushes now, unless a flush is running. */
  now(): void;
  /** Flushes one last time and stops. */
  stop(): Promise<void>;
}

/**
 * Calls `flush` repeatedly, never twice at the same time, for data that hot paths collect and that is written in
 * batches.
 */
export function flushEvery({ name, everyMs, flush }: FlushOptions): Flushing {
  let running: Promise<void> | null = null;

  function run(): Promise<void> {
    running ??= flush()
      .catch((error: unknown) => log.warn({ err: error }, `${name} could not be written`))
      .finally(() => {
        running = null;
      });
    return running;
  }

  const timer = setInterval(() => void run(), everyMs).unref();
  return {
    now: () => void run(),
    async stop() {
      clearInterval(timer);
      await running;
      await run();
    },
  };
}
