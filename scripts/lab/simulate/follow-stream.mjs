import { EVENTS } from "./open-receivers.mjs";

/**
 * Reads the partner's event stream for some time, from the last event that it received before. A stream that breaks off
 * is opened again by the next step. Every frame is kept.
 */
export async function followStream({ webs, partners }, { partner, via = 0, ms }) {
  const { token, stream } = partners[partner];
  const { baseUrl } = webs[via % webs.length];
  const url = `${baseUrl}/v3/events/stream?after=${stream.after}&types=${EVENTS.join(",")}`;
  const signal = AbortSignal.timeout(ms);
  const decoder = new TextDecoder();
  let text = "";
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal });
    if (!response.ok) return;
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const whole = text.lastIndexOf("\n\n");
      if (whole === -1) continue;
      for (const block of text.slice(0, whole).split("\n\n")) keep(stream, block);
      text = text.slice(whole + 2);
    }
  } catch {
    // The time is over, or the process has ended.
  }
}

/** The frame `ready` says from where the stream reads on. */
function keep(stream, block) {
  if (/^event: ready$/m.test(block)) return;
  const id = Number(/^id: (\d+)$/m.exec(block)?.[1]);
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (Number.isNaN(id) || data === undefined) return;
  const { event_id, replay } = JSON.parse(data);
  stream.after = id;
  stream.frames.push({ seq: id, eventId: event_id, isReplay: replay !== undefined });
}
