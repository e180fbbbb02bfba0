// Import first: the log of this test file, at its most talkative, is kept instead of written.
import pino from "pino";

/** What was logged, line by line. */
export const logged: string[] = [];

Object.assign(globalThis, {
  trunklineLog: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
});
