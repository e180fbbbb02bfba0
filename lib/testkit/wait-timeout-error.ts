/** Nothing that matched arrived in time. The message says what was expected and what arrived instead. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";

  constructor(expected: string, timeoutMs: number, arrived: readonly string[]) {
    const instead = arrived.length === 0 ? "Nothing arrived." : `Arrived instead:\n  ${arrived.join("\n  ")}`;
    super(`No ${expected} within ${timeoutMs / 1000} s. ${instead}`);
  }
}
