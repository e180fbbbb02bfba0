import "server-only";
import { log } from "@/lib/platform/log";

export interface FlushOptions {
  /** What is flushed, as it appears in the log when that fails. */
  name: string;
  everyMs: number;
  /** Writes what was noted since the last time. What it throws is logged. */
  flush(): Promise<void>;
}

export interface Flushing {
  /** Flushes now, unless a flush is running. */
  now(): void;
  /** Flushes one last time and ends. */
  stop(): Promise<void>;
}

/** Calls `flush` again and again, never twice at a time: for what is noted on hot paths and written in batches. */
export function flushEvery({ name, everyMs, flush }: FlushOptions): Flushing {
  let running: Promise<void> | null = null;

  function run(): Promise<void> {
    running ??= flush()
      .catch((error: Error) => log.warn({ error: error.message }, `${name} could not be written`))
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
