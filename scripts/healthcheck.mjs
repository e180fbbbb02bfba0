// The health check of a container: exits with 0 if /ready of this container's process responds with 200. A worker
// serves /ready on METRICS_PORT only.
const { ROLE, PORT, METRICS_PORT } = process.env;
const port = ROLE === "worker" ? METRICS_PORT : PORT || "3000";
if (!port) fail("Set METRICS_PORT: a process with ROLE=worker serves /ready on that port only.");

const response = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  (error) => fail(`port ${port} does not respond: ${error.cause?.code ?? error.message}`),
);
if (!response.ok) fail(await response.text());

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
