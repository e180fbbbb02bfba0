import { COMPILE_CACHE, SERVER_OPTIONS } from "../server-options.mjs";
import { findFreePort } from "./find-free-port.mjs";
import { launchProcess, startProcess } from "./start-process.mjs";

/**
 * Starts Trunkline's production server, which must be built, on a free loopback port. `env` sets its database and role,
 * `cwd` is the folder of another version. Resolves when the server is ready.
 */
export async function startServer(env, cwd) {
  const server = await serverAt(await findFreePort(), env, cwd);
  return { ...(await startProcess({ ...server, readyUrl: `${server.baseUrl}/ready` })), ...server };
}

/** Like `startServer`, on a given port and without waiting: clients retry until the server responds. */
export async function launchServer(port, env, cwd) {
  const server = await serverAt(port, env, cwd);
  return { ...launchProcess(server), ...server };
}

/** Like `startServer`, with `next start` instead of Trunkline's server: the same routes through Next. */
export async function startNextServer(env) {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = {
    args: ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", String(port)],
    env: production(env, port),
    baseUrl,
  };
  return { ...(await startProcess({ ...server, readyUrl: `${baseUrl}/sign-in` })), ...server };
}

async function serverAt(port, env, cwd) {
  // Costs nothing until SIGUSR1 opens the inspector.
  const inspectPort = await findFreePort();
  return {
    args: [`--inspect-port=127.0.0.1:${inspectPort}`, ...SERVER_OPTIONS, "dist/server.mjs"],
    env: production(env, port),
    cwd,
    baseUrl: `http://127.0.0.1:${port}`,
    inspectPort,
  };
}

function production(env, port) {
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
    WEBHOOK_ALLOW_PRIVATE: "127.0.0.1",
    PORT: String(port),
    ...env,
  };
}
