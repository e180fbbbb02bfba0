import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { DiagnosticsChannel } from "undici";
import { type ConnectTiming, connectTimingOf } from "@/lib/platform/guarded-fetch/guarded-connector";

/**
 * The duration of each step of a request in ms. Null for steps that did not start, or were not needed because a
 * connection was open.
 */
export interface RequestTiming {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the written request to the first byte of the response. */
  firstByteMs: number | null;
}

/**
 * The request that undici has started and is about to write. Both happen synchronously, so no other request comes
 * between.
 */
let beginning: RequestWatch | null = null;

subscribe("undici:client:sendHeaders", (message) => {
  beginning?.written((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  beginning = null;
});

/** Observes one undici request from its start (`onRequestStart` of its handler). */
export class RequestWatch {
  #connect: ConnectTiming | null = null;
  #writtenAt: number | null = null;
  #firstByteMs: number | null = null;

  begin(): void {
    beginning = this;
  }

  written(socket: DiagnosticsChannel.ClientSendHeadersMessage["socket"]): void {
    this.#connect = connectTimingOf(socket);
    this.#writtenAt = performance.now();
  }

  /** Whether the request was written to a connection that an earlier request had opened. */
  get isOnReused(): boolean {
    return this.#writtenAt !== null && this.#connect === null;
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
