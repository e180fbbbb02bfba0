import { setTimeout as sleep } from "node:timers/promises";
import { callInstance } from "../../instance/call-instance.mjs";

const PHONES = 10;
const BETWEEN_TEXTS_MS = 40;

/** Subscribes the receivers to received messages and has phones write to the demo's line continuously. */
export async function startTexts({ baseUrl, token, line, receivers }) {
  const call = (route, body) => callInstance({ baseUrl, token }, `POST ${route}`, body);
  let stored = 0;
  let going = true;
  async function write(handle) {
    while (going) {
      await call(`/simulator/phones/${handle}/messages`, { to: line, text: `text ${stored}` });
      stored++;
      await sleep(BETWEEN_TEXTS_MS);
    }
  }

  const handles = Array.from({ length: PHONES }, (_, phone) => `+1555030${String(phone).padStart(4, "0")}`);
  for (const handle of handles) await call("/simulator/phones", { handle });
  for (const { url } of receivers) {
    await call("/v3/webhook-subscriptions", { target_url: url, subscribed_events: ["message.received"] });
  }
  const writing = Promise.all(handles.map(write));
  // `stop` reports the failure to its caller. Until then, an unhandled rejection must not end the process.
  writing.catch(() => undefined);
  return {
    stored: () => stored,
    async stop() {
      going = false;
      await writing;
    },
  };
}
