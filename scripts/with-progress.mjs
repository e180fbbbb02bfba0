// Shows the elapsed time of a task.
const EVERY_MS = 1000;

/**
 * Runs `work` and shows `title` with the elapsed seconds: in a terminal one line that is updated, otherwise one line at
 * the start and one at the end. Resolves and rejects as `work` does.
 */
export async function withProgress(title, work, out = process.stdout) {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1000);
  const show = () => out.write(`\r${title}… ${seconds()} s`);
  const timer = out.isTTY ? setInterval(show, EVERY_MS) : undefined;
  out.write(out.isTTY ? `${title}…` : `${title}…\n`);
  try {
    const result = await work();
    out.write(out.isTTY ? `\r${title}: done in ${seconds()} s\n` : `${title}: done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    out.write(
      out.isTTY ? `\r${title}: failed after ${seconds()} s\n` : `${title}: failed after ${seconds()} s\n`,
    );
    throw error;
  } finally {
    clearInterval(timer);
  }
}
