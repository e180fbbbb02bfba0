import { connect } from "node:net";
import { faultOf, parseAnswer } from "./check-answer.mjs";
import { createRequestMaker } from "./make-requests.mjs";
import { createRandom } from "./random.mjs";

const CONCURRENCY = 8;
const SILENT_MS = 20_000;
const SHOWN = 300;

/**
 * Sends `count` random requests to a server at 127.0.0.1:`port`, each on a new connection. Reports every response that
 * is an unintended 5xx, is neither an error envelope nor a page, or has no trace id. Calls `onProgress` after each
 * request with the number sent.
 */
export async function fuzzServer({ port, seed, count, onProgress = () => undefined, ...material }) {
  const next = createRequestMaker({ random: createRandom(seed), ...material });
  const statuses = {};
  const faults = [];
  let sent = 0;

  async function work() {
    while (sent < count) {
      sent += 1;
      const request = next();
      const bytes = await say(port, request);
      const status = parseAnswer(bytes)?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      const fault = faultOf(request, bytes);
      if (fault !== null)
        faults.push(`${fault}: ${shorten(request)} -> ${shorten(bytes.toString("latin1"))}`);
      await onProgress(sent);
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { statuses, faults };
}

/** Writes a request. Resolves with everything received until the connection closed or an event stream began. */
function say(port, request) {
  return new Promise((resolve) => {
    const chunks = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (/\r\ncontent-type: text\/event-stream/i.test(chunk.toString("latin1"))) end();
    });
    socket.on("error", end);
    socket.on("close", end);
    socket.setTimeout(SILENT_MS, end);
  });
}

function shorten(text) {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
