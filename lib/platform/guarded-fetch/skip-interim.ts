import "server-only";
import type { Socket } from "node:net";

const HEADERS_END = "\r\n\r\n";
const MAX_HEADERS_BYTES = 16 * 1024;
/** An informational response, except 101, which ends HTTP on the connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const STATUS_BYTES = "HTTP/1.1 100".length;

/**
 * Drops informational responses from a connection of undici, which closes a connection that receives `100 Continue`
 * without having asked for it. A client must ignore them (RFC 9110, 15.2), and some frameworks send it for every body.
 */
export function skipInterimResponses(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isAwaiting = false;
  let held = Buffer.alloc(0);

  // Only the beginning of a response can be an informational one: bytes of a body are never looked at.
  socket.write = ((...args: Parameters<typeof write>) => {
    isAwaiting = true;
    return write(...args);
  }) as typeof socket.write;
  socket.read = (size?: number) => {
    for (let chunk = read(size); ; chunk = read(size)) {
      if (chunk === null || !isAwaiting) return chunk;
      held = Buffer.concat([held, chunk]);
      const rest = withoutInterim(held);
      if (rest === null) continue;
      held = Buffer.alloc(0);
      isAwaiting = false;
      return rest;
    }
  };
}

/** The bytes from the start of the final response; null when more bytes are needed to know it. */
function withoutInterim(bytes: Buffer): Buffer | null {
  let rest = bytes;
  while (rest.length >= STATUS_BYTES && INTERIM.test(rest.toString("latin1", 0, STATUS_BYTES))) {
    const end = rest.indexOf(HEADERS_END);
    if (end === -1) return rest.length > MAX_HEADERS_BYTES ? rest : null;
    rest = rest.subarray(end + HEADERS_END.length);
  }
  const isComplete = rest.length >= STATUS_BYTES || !"HTTP/1.".startsWith(rest.toString("latin1", 0, 7));
  return isComplete ? rest : null;
}
