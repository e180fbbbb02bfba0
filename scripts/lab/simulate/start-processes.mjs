import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy } from "../../../lib/testing/servers/start-tcp-proxy.ts";

const SETTINGS = {
  DASHBOARD: "off",
  CLOCK_CONTROL: "1",
  TRANSPORT_ALLOW_PRIVATE: "127.0.0.1",
};

/**
 * Starts the web processes and workers of a world, each with a proxy of its own before PostgreSQL. `webs` and `workers`
 * contain the running ones: a replaced process takes the place of its predecessor.
 */
export async function startProcesses({ cluster, webs: webCount, workers: workerCount }) {
  const proxies = { web: await openProxies(webCount), worker: await openProxies(workerCount) };
  const running = { web: [], worker: [] };

  function openProxies(count) {
    return Promise.all(Array.from({ length: count }, () => startTcpProxy(cluster.env.DATABASE_URL)));
  }

  async function start(role, place) {
    const settings = { ...SETTINGS, DATABASE_URL: proxies[role][place].url };
    running[role][place] = await (role === "web"
      ? cluster.startWeb(settings)
      : cluster.startWorker(settings));
  }

  // The first process creates the demo.
  await start("web", 0);
  await Promise.all([
    ...Array.from({ length: webCount - 1 }, (_, place) => start("web", place + 1)),
    ...Array.from({ length: workerCount }, (_, place) => start("worker", place)),
  ]);
  return {
    webs: running.web,
    workers: running.worker,
    at: ({ role, place }) => running[role][place],
    proxyOf: ({ role, place }) => proxies[role][place],
    /** Ends a process with `end`, and starts another in its place after `downMs`. */
    async replace({ role, place, downMs }, end) {
      await end(running[role][place]);
      await sleep(downMs);
      await start(role, place);
    },
    async stop() {
      await Promise.all([...running.web, ...running.worker].map((one) => one.kill()));
      await Promise.all([...proxies.web, ...proxies.worker].map((proxy) => proxy.close()));
    },
  };
}
