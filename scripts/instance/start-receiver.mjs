import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Starts a webhook endpoint in its own process (webhook-receiver.mjs), which ends with this process. It responds at the
 * given pace, by default immediately.
 */
export async function startReceiver(pace = {}) {
  const child = fork(fileURLToPath(new URL("webhook-receiver.mjs", import.meta.url)));
  const [{ port }] = await once(child, "message");

  let asked = Promise.resolve();

  // One question at a time: answers have no number.
  function queryReceiver(what) {
    asked = asked.then(async () => {
      child.send(what);
      const [answer] = await once(child, "message");
      return answer;
    });
    return asked;
  }

  async function list(what) {
    const { received } = await queryReceiver(what);
    return received.map(([eventId, type, begunAt, answeredAt, status]) => ({
      eventId,
      type,
      begunAt,
      answeredAt,
      status,
    }));
  }
  await queryReceiver(pace);

  return {
    url: `http://127.0.0.1:${port}/hook`,
    setPace: (next) => queryReceiver(next),
    /**
     * The requests since the start or the last `forget`, in order of arrival. Times are in ms. `answeredAt` and `status`
     * are null if no response was sent.
     */
    report: () => list("report"),
    forget: () => list("forget"),
    count: async () => (await queryReceiver("count")).count,
    /** The number of requests that wait for their response. */
    open: async () => (await queryReceiver("count")).open,
    /** The number of responses by status. */
    answers: async () => (await queryReceiver("count")).answers,
    stop: () => child.disconnect(),
  };
}
