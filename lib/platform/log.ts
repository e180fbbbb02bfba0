import "server-only";
import pino from "pino";

const shared = globalThis as typeof globalThis & { trunklineLog?: pino.Logger };

/**
 * The process's log: one JSON object per line on stderr. Secrets are never passed to it, and these fields are
 * removed.
 */
export const log: pino.Logger = shared.trunklineLog ?? createLog();
shared.trunklineLog = log;

function createLog(): pino.Logger {
  return pino(
    {
      // biome-ignore lint/style/noProcessEnv: the log must exist before, and report on, a configuration that does not parse
      level: process.env.LOG_LEVEL || "info",
      base: undefined,
      redact: [
        "authorization",
        "token",
        "password",
        "secret",
        "*.authorization",
        "*.token",
        "*.password",
        "*.secret",
      ],
    },
    pino.destination(2),
  );
}
