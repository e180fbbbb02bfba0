/** Browsers without idle callbacks run the work after this time, in milliseconds. */
const IDLE_MS = 500;

/** Runs the work when the browser is idle, so that it does not delay the first page. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, IDLE_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}
