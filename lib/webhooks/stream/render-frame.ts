import "server-only";
import { hidePayload, readsEveryPayload } from "@/lib/events/catalog/hide-payload";
import { renderEvent } from "@/lib/events/catalog/render-event";
import type { WebhookVersion } from "@/lib/events/catalog/webhook-version";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { serverSentEvent } from "@/lib/events/tail/server-sent-event";
import type { Context } from "@/lib/platform/context";
import { log } from "@/lib/platform/telemetry/log";
import type { Replay } from "@/lib/webhooks/stream/replayed-event";

type Frame = Uint8Array | null;

const encoder = new TextEncoder();
// All streams receive the same event object, so the first stream renders it for all.
const rendered = new WeakMap<LoggedEvent, Map<WebhookVersion, Frame>>();

/** An event as a program's stream sends it: the payload of its webhook. null when it cannot be rendered. */
function renderFrame(event: LoggedEvent, partnerId: string, version: WebhookVersion): Frame {
  const frames = rendered.get(event) ?? new Map<WebhookVersion, Frame>();
  rendered.set(event, frames);
  let frame = frames.get(version);
  if (frame === undefined) {
    frame = render(event, event.seq, () => renderEvent(event, partnerId, version));
    frames.set(version, frame);
  }
  return frame;
}

/** Like `renderFrame`, for a reader who may not see every payload. */
export function renderFrameFor(ctx: Context, event: LoggedEvent, version: WebhookVersion): Frame {
  if (readsEveryPayload(ctx)) return renderFrame(event, ctx.account.partnerId, version);
  return render(event, event.seq, () => hidePayload(ctx, renderEvent(event, ctx.account.partnerId, version)));
}

/** A replayed event as this reader sees it, with its new position in the log and the replay's id. */
export function renderReplayFrame(ctx: Context, replay: Replay, version: WebhookVersion): Frame {
  const { id, seq, event } = replay;
  const { partnerId } = ctx.account;
  return render(event, seq, () => ({
    ...hidePayload(ctx, renderEvent(event, partnerId, version)),
    replay: id,
  }));
}

function render(event: LoggedEvent, id: number, envelope: () => unknown): Frame {
  try {
    return encoder.encode(serverSentEvent({ id, type: event.type, data: envelope() }));
  } catch (error) {
    log.error({ err: error, eventId: event.id }, "an event was omitted from a stream");
    return null;
  }
}
