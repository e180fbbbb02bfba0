import { setTimeout as sleep } from "node:timers/promises";

const SAMPLE_MICROSECONDS = 250;

/**
 * Profiles the CPU time of a Node process while `work` runs. Returns seconds by component (a package, Node itself, …).
 * The process must have been started with `--inspect-port=<inspectPort>`; this function opens its inspector.
 */
export async function profileProcess({ pid, inspectPort }, work) {
  const inspector = await openInspector(pid, inspectPort);
  await inspector.call("Profiler.enable");
  await inspector.call("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  await inspector.call("Profiler.start");
  const result = await work();
  const { profile } = await inspector.call("Profiler.stop");
  inspector.close();
  return { result, seconds: secondsByPart(profile) };
}

async function openInspector(pid, port) {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await debuggerUrl(port));
  const waiting = new Map();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));

  let last = 0;
  return {
    call(method, params = {}) {
      const id = ++last;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    close: () => socket.close(),
  };
}

async function debuggerUrl(port) {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
      return target.webSocketDebuggerUrl;
    } catch {
      await sleep(50);
    }
  }
  throw new Error("the server's inspector did not open");
}

function secondsByPart({ nodes, samples, timeDeltas }) {
  const partById = new Map(nodes.map((node) => [node.id, partOf(node.callFrame)]));
  const seconds = {};
  for (const [index, id] of samples.entries()) {
    const part = partById.get(id);
    if (part === "idle") continue;
    seconds[part] = (seconds[part] ?? 0) + timeDeltas[index] / 1e6;
  }
  return seconds;
}

const SPECIAL = {
  "(idle)": "idle",
  "(program)": "system calls and native code",
  "(garbage collector)": "garbage collection",
};

function partOf({ functionName, url }) {
  if (SPECIAL[functionName] !== undefined) return SPECIAL[functionName];
  if (url.startsWith("node:") || url === "") return "Node (http, streams, crypto)";
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url) ?? [];
  if (name === undefined) return "Trunkline's own code";
  return name.startsWith("pg") ? "pg, the database driver" : name;
}
