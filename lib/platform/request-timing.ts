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

/** The request that undici has begun and is about to write: both in one go, so there is never another in between. */
let beginning: RequestWatch | null = null;

subscribe("undici:client:sendHeaders", (message) => {
  beginning?.written((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  beginning = null;
});

/** Looks at one undici request from its beginning (`onRequestStart` of its handler). */
export class RequestWatch {
  #connect: ConnectTiming | null = null;
  #writtenAt: number | null = null;
  #firstByteMs: number | null = null;

  begin(): void {
    beginning = this;
  }

  written(socket: DiagnosticsChannel.ClientSendHeadersMessage["socket"]): void {
    this.#connect = takeConnectTiming(socket);
    this.#writtenAt = performance.now();
  }

  answered(): void {
    if (this.#writtenAt !== null) this.#firstByteMs = performance.now() - this.#writtenAt;
  }

  get timing(): RequestTiming {
    return {
      dnsMs: this.#connect?.dnsMs ?? null,
      connectMs: this.#connect?.connectMs ?? null,
      tlsMs: this.#connect?.tlsMs ?? null,
      firstByteMs: this.#firstByteMs,
    };
  }
}
