import "server-only";
import { createServer } from "node:net";

const DEFAULT_PORT = 3000;

/**
 * Throws an Error that names the port and the setting if the process can't listen there, before PostgreSQL is started.
 * Reads the environment itself, because settings are complete only after that.
 */
export async function requireFreePorts(environment: NodeJS.ProcessEnv): Promise<void> {
  const host = (environment.HOST?.trim() || "localhost").replace(/^\[(.*)\]$/, "$1");
  if (environment.ROLE !== "worker") await requireFreePort("PORT", host, environment.PORT || DEFAULT_PORT);
  if (environment.METRICS_PORT) await requireFreePort("METRICS_PORT", host, environment.METRICS_PORT);
}

// `requireValidSettings` has checked that the text is a port.
async function requireFreePort(setting: string, host: string, text: string | number): Promise<void> {
  const port = Number(text);
  // METRICS_PORT 0 is any free port.
  if (port === 0) return;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new Error(explain(setting, host, port, error as NodeJS.ErrnoException));
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

function explain(
  setting: string,
  host: string,
  port: number,
  { code, message }: NodeJS.ErrnoException,
): string {
  if (code === "EADDRINUSE") {
    return `port ${port} is in use on ${host}, perhaps by another Trunkline. Stop that program, or set ${setting} to a free port.`;
  }
  if (code === "EACCES") {
    return `this user can't listen on port ${port}. Set ${setting} to a port above 1023.`;
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `HOST ${host} is no address of this machine (${code}). Set HOST to localhost, 0.0.0.0 or an address of a network interface.`;
  }
  return `port ${port} of ${host} can't be used: ${message}`;
}
