import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a webhook endpoint in its own process (webhook-receiver.mjs), which ends with this process. */
export async function startReceiver() {
  const child = fork(fileURLToPath(new URL("webhook-receiver.mjs", import.meta.url)));
  const [{ port }] = await once(child, "message");

  async function queryReceiver(what) {
    child.send(what);
    const [answer] = await once(child, "message");
    return answer;
  }

  async function list(what) {
    const { received } = await queryReceiver(what);
    return received.map(([eventId, type, at]) => ({ eventId, type, at }));
  }

  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** The events received since the start or the last `forget`, in order of arrival. */
    report: () => list("report"),
    forget: () => list("forget"),
    count: async () => (await queryReceiver("count")).count,
    stop: () => child.disconnect(),
  };
}
