import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { DiagnosticsChannel } from "undici";
import { type ConnectTiming, takeConnectTiming } from "@/lib/platform/guarded-connector";

/** What a request's time was spent on, in ms; null for steps it did not come to, or found done: an open connection. */
export interface RequestTiming {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request being written to the first byte of the answer. */
  firstByteMs: number | null;
}

interface Watch {
  connect: ConnectTiming | null;
  /** performance.now() when the request was written; null until then. */
  writtenAt: number | null;
}

const watches = new WeakMap<object, Watch>();
let beginning: Watch | null = null;

// undici creates a request within the call that asks for it, so the one created now is the one that is watched.
subscribe("undici:request:create", (message) => {
  if (beginning === null) return;
  watches.set((message as DiagnosticsChannel.RequestCreateMessage).request, beginning);
});

subscribe("undici:client:sendHeaders", (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  const watch = watches.get(request);
  if (watch === undefined) return;
  watch.connect = takeConnectTiming(socket);
  watch.writtenAt = performance.now();
});

/** Runs `send`, which begins one undici request, and tells at any time after what its time was spent on. */
export function timed<Result>(send: () => Promise<Result>): {
  answer: Promise<Result>;
  timing(): RequestTiming;
} {
  const watch: Watch = { connect: null, writtenAt: null };
  let answeredAt: number | null = null;
  const answer = begin(watch, send).then((result) => {
    answeredAt = performance.now();
    return result;
  });
  return {
    answer,
    timing: () => ({
      dnsMs: watch.connect?.dnsMs ?? null,
      connectMs: watch.connect?.connectMs ?? null,
      tlsMs: watch.connect?.tlsMs ?? null,
      firstByteMs: answeredAt === null || watch.writtenAt === null ? null : answeredAt - watch.writtenAt,
    }),
  };
}

function begin<Result>(watch: Watch, send: () => Promise<Result>): Promise<Result> {
  beginning = watch;
  try {
    return send();
  } finally {
    beginning = null;
  }
}
