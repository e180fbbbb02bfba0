/** The variable in which `npm start` passes its parent's process id to the server. */
export const PARENT_VARIABLE = "TRUNKLINE_NPM_PARENT";

const POLL_MS = 500;

/**
 * Calls `end` once the program that started this process has ended, if a package manager runs it. `npm start` runs a shell
 * that runs this process: a signal for npm ends both without reaching this process, which would run on unnoticed. A parent
 * that ended before this call is noticed at once. Windows does not tell. Returns a function that stops watching.
 */
export function whenParentEnds(end, parent = process.ppid) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return () => undefined;
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  look();
  return () => clearInterval(timer);

  function look() {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }
}

/**
 * The parent that `npm start` watched before it became this program, else the present one. Removes the variable, so that
 * no child of this process inherits it.
 */
export function takeParent(environment = process.env) {
  const { [PARENT_VARIABLE]: parent = process.ppid } = environment;
  delete environment[PARENT_VARIABLE];
  return Number(parent);
}
