import pino from "pino";
import { afterAll } from "vitest";
import { log } from "@/lib/platform/telemetry/log";

/** Collects the log lines of the calling test file at level "trace" instead of writing them. */
export function captureLog(): string[] {
  const lines: string[] = [];
  const { level } = log;
  const stream: unknown = Reflect.get(log, pino.symbols.streamSym);
  log.level = "trace";
  Reflect.set(log, pino.symbols.streamSym, { write: (line: string) => void lines.push(line) });
  afterAll(() => {
    log.level = level;
    Reflect.set(log, pino.symbols.streamSym, stream);
  });
  return lines;
}
