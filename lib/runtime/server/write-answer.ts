import "server-only";
import type { ServerResponse } from "node:http";
import type { Answer } from "@/lib/runtime/http/answer";

/** Sends a complete response. */
export function writeAnswer(response: ServerResponse, { status, headers, text }: Answer): void {
  const body = text ?? "";
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
