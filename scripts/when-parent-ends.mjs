const POLL_MS = 500;

/**
 * Calls `end` once the program that started this process has ended, if a package manager runs it. `npm start` runs a shell
 * that runs this process: a signal for npm ends both without reaching this process, which would run on unnoticed. Windows
 * does not tell.
 */
export function whenParentEnds(end, parent = process.ppid) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, POLL_MS);
  timer.unref();
}
