import "server-only";
import { evaluateAlerts } from "@/lib/operations/instance/evaluate-alerts";
import { inBackground } from "@/lib/platform/database/database-scope";
import { onWake } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

const LOOK_MS = 15_000;
/** Of all worker processes, one looks at a time, and not more often than this. */
const PAUSE_SECONDS = 10;

/** Looks for alerts every 15 s, and immediately when the platform clock was moved, until stopped. */
export function startInstanceWatch(): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();

  function look(pauseSeconds: number): void {
    running = running.then(async () => {
      try {
        await inBackground(() => evaluateAlerts({ pauseSeconds }));
      } catch (error) {
        log.warn({ err: error }, "alerts could not be evaluated");
      }
    });
  }

  const timer = setInterval(() => look(PAUSE_SECONDS), LOOK_MS);
  const forget = onWake("clock", () => look(0));
  look(PAUSE_SECONDS);
  return {
    async stop() {
      clearInterval(timer);
      forget();
      await running;
    },
  };
}
