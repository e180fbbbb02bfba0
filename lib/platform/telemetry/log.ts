import "server-only";
import pino from "pino";
import { toLoggedError } from "@/lib/platform/telemetry/log-error";

const shared = globalThis as typeof globalThis & { trunklineLog?: pino.Logger };

/**
 * The process's log: one JSON object per line on stderr. Content, handles and secrets are never passed to it. Errors,
 * which can carry them, are reduced to what `toLoggedError` keeps, and these fields are removed.
 */
export const log: pino.Logger = shared.trunklineLog ?? createLog();
shared.trunklineLog = log;

function createLog(): pino.Logger {
  return pino(
    {
      // biome-ignore lint/style/noProcessEnv: the log must exist before, and report on, a configuration that does not parse
      level: process.env.LOG_LEVEL || "info",
      base: undefined,
      serializers: { err: (error: unknown) => toLoggedError(error) },
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
