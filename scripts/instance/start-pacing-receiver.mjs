import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Starts a webhook endpoint that responds at the given pace (pacing-receiver.mjs). The endpoint ends with this process.
 */
export async function startPacingReceiver(pace = {}) {
  const child = fork(fileURLToPath(new URL("pacing-receiver.mjs", import.meta.url)));
  const [{ port }] = await once(child, "message");

  async function queryReceiver(what) {
    child.send(what);
    const [answer] = await once(child, "message");
    return answer;
  }
  await queryReceiver(pace);

  return {
    url: `http://127.0.0.1:${port}/hook`,
    setPace: (next) => queryReceiver(next),
    /** The number of requests that wait for their response. */
    open: async () => (await queryReceiver("open")).open,
    /** The number of responses by status. */
    answers: async () => (await queryReceiver("open")).answers,
    /** All requests in order of arrival. Times are in ms; null if no response was sent. */
    async report() {
      const { requests } = await queryReceiver("report");
      return requests.map(([eventId, begunAt, answeredAt, status]) => ({
        eventId,
        begunAt,
        answeredAt,
        status,
      }));
    },
    stop: () => child.disconnect(),
  };
}
