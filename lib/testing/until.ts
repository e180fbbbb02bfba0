/** Below Vitest's time limit of a test, so that a failure names the condition. A busy machine can take this long. */
const LIMIT_MS = 45_000;
const INTERVAL_MS = 5;

/** Waits until `look` returns a value other than false, null or undefined, and returns it. Fails after 45 s. */
export async function until<Found>(
  look: () => Found | false | null | undefined | Promise<Found | false | null | undefined>,
): Promise<Found> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > end) throw new Error(`nothing came of: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
