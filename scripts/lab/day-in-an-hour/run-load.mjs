import { request } from "undici";
import { callSteadily } from "../bench/call-steadily.mjs";
import { CHAT_PATH, numbered } from "../bench/create-tenant.mjs";

/** Requests that wait for their response; further ones that are due are left out and counted. */
const MAX_OPEN = 100;
/**
 * The share of messages of the quiet line. Every event of it is tried again up to ten times on the same day, so that the
 * failing endpoint gets eleven attempts for each.
 */
const QUIET = 0.01;
const TIMEOUT_MS = 30_000;
const EVERY_MS = 4;

/**
 * Sends and receives messages at a constant rate until `stop` is aborted. Returns the counters, which grow meanwhile
 * (`sent`, `received`, `leftOut` and `errors` by text), and the promise of the end.
 */
export function runLoad({ baseUrl }, tenant, { perSecond, seconds, chats, stop }) {
  const counts = { sent: 0, received: 0, leftOut: 0, errors: {} };
  const call = async (name, url, body) => {
    const error = await post(`${baseUrl}${url}`, tenant.token, body);
    if (error === null) counts[name]++;
    else counts.errors[`${name}: ${error}`] = (counts.errors[`${name}: ${error}`] ?? 0) + 1;
  };
  const plan = {
    perSecond,
    seconds,
    maxOpen: MAX_OPEN,
    everyMs: EVERY_MS,
    stop,
    leaveOut: () => {
      counts.leftOut++;
    },
  };
  const series = Date.now().toString(36);
  const ended = Promise.all([
    callSteadily(plan, (index) => {
      const chat = chooseChat(tenant, chats);
      const parts = [{ type: "text", value: "Your table for two at 19:30 is confirmed." }];
      const message = { parts, idempotency_key: `${series}-${index}` };
      return call("sent", chat.sendUrl, { message });
    }),
    callSteadily(plan, (index) => {
      const { handle, line } = chooseChat(tenant, chats);
      const body = { to: line, text: `Is the table for two still free? ${index}` };
      return call("received", `/simulator/phones/${encodeURIComponent(handle)}/messages`, body);
    }),
  ]);
  return { counts, ended };
}

function chooseChat({ line, quietLine, quietChats }, chats) {
  if (Math.random() < QUIET) {
    const { id, handle } = quietChats[Math.floor(Math.random() * quietChats.length)];
    return { sendUrl: `/v3/chats/${id}/messages`, handle, line: quietLine };
  }
  const number = 1 + Math.floor(Math.random() * chats);
  return { sendUrl: numbered(CHAT_PATH, number), handle: numbered("+1556%07d", number), line };
}

/** Posts and reads the response. Returns null, or the error without ids, so that equal errors can be counted. */
async function post(url, token, body) {
  try {
    // Half the CPU time of fetch, and the load shares the machine with the servers.
    const { statusCode, body: response } = await request(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await response.text();
    if (statusCode < 300) return null;
    const [, code] = /"code":\s*(\d+)/.exec(text) ?? [];
    return `${statusCode}/${code ?? "no code"}`;
  } catch (error) {
    return error.code ?? error.name;
  }
}
