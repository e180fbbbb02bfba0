import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Measures the growth of memory outside the heap, without garbage. `tooMuch` is the growth that the test does not accept.
 */
export function watchMemory(tooMuch: number) {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const before = process.memoryUsage().external;
  let most = before;
  const timer = setInterval(() => {
    // Garbage collection is slow in a process that has loaded the service. V8 frees buffers with a delay after it, so it
    // runs long before the garbage alone would reach the limit.
    if (process.memoryUsage().external - before < tooMuch / 4) return;
    collect();
    most = Math.max(most, process.memoryUsage().external);
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return most - before;
    },
  };
}
