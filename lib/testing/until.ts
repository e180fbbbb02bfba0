/** Below Vitest's time limit of a test, so that a failure names the condition. A busy machine can take this long. */
const LIMIT_MS = Number(process.env.UNTIL_LIMIT_MS ?? 45_000);
/** The pause between looks doubles up to the longest: a look every 5 ms would keep a processor busy for nothing. */
const PAUSE_MS = { least: 2, most: 30 };

/**
 * Waits until `look` returns a value other than false, null or undefined, and returns it. Fails after 45 s, or after
 * UNTIL_LIMIT_MS milliseconds.
 */
export async function until<Found>(
  look: () => Found | false | null | undefined | Promise<Found | false | null | undefined>,
): Promise<Found> {
  const end = performance.now() + LIMIT_MS;
  for (let pauseMs = PAUSE_MS.least; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most)) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > end) throw new Error(`nothing came of: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
