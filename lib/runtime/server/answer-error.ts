import "server-only";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ApiError } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { writeAnswer } from "@/lib/runtime/server/write-answer";

// Time that a client has to read the response, while it is still sending, before its connection is closed.
const LINGER_MS = 500;

/** Responds with the error envelope to a request that reaches no route. */
export function answerError(response: ServerResponse, error: ApiError): void {
  writeAnswer(response, errorAnswer(error, newTraceId()));
}

/** Like `answerError`, on a raw socket: the request could not be parsed, or none has arrived. Closes the connection. */
export function answerErrorRaw(socket: Duplex, error: ApiError): void {
  const { status, headers, text } = errorAnswer(error, newTraceId());
  const body = text ?? "";
  const all = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  // A client that never closes its side would keep the connection open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
