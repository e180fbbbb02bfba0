import { setTimeout as sleep } from "node:timers/promises";

/** The service sends data at least every 15 s, so a connection that is silent for longer is lost. */
const SILENT_MS = 45_000;
const RETRY_MS = [500, 1000, 2000, 5000, 10_000];

/** An error that a retry can't resolve. */
export class Refused extends Error {}

/**
 * Yields the events of GET /v3/events/stream, including `ready`, as `{ id, type, data }`; `data` is the text as sent.
 * Reconnects as often as needed and never ends. Throws Refused for an error that only the caller can fix.
 */
export async function* followEvents({ url, token, query, last, say }) {
  let position = last;
  for (let failures = 0; ; failures++) {
    try {
      for await (const event of openStream({ url, token, query, position })) {
        if (event.id !== undefined) position = event.id;
        if (event.type === "error") throw toError(event.data);
        if (event.type === "ready" && failures > 0) say("Reconnected.");
        failures = 0;
        if (event.type !== undefined) yield event;
      }
      say("The server closed the connection. Reconnecting.");
    } catch (error) {
      if (error instanceof Refused) throw error;
      say(`Connection failed: ${error.cause?.message ?? error.message}`);
    }
    await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  }
}

async function* openStream({ url, token, query, position }) {
  const address = new URL("/v3/events/stream", url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, value);
  if (position !== undefined) address.searchParams.set("after", position);
  const silence = new AbortController();
  const watchdog = setTimeout(() => silence.abort(new Error("the connection stopped responding")), SILENT_MS);
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: silence.signal,
    });
    if (!response.ok) throw toError(await response.text());
    let rest = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      watchdog.refresh();
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
}

/** Parses one server-sent event. Comments and position updates have no type. */
function parseEvent(block) {
  const fields = Object.fromEntries(
    block.split("\n").flatMap((line) => {
      const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
  return { id: fields.id, type: fields.event, data: fields.data };
}

function toError(text) {
  const { error } = parseJson(text);
  const message = error === undefined ? text.slice(0, 200) : `${error.message} (${error.code})`;
  const isLasting = error !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429;
  return isLasting ? new Refused(message) : new Error(message);
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
