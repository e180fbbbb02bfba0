import "server-only";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";
import { isTrustedProxy } from "@/lib/platform/http/client-address";
import { answerErrorRaw } from "@/lib/runtime/server/answer-error";

const RETRY_SECONDS = 5;
// An IPv6 provider typically assigns a whole /64 to one customer.
const IPV6_BYTES = 8;

/**
 * Rejects connections of one IP address beyond `most` with 429/1007; 0 = no limit. The returned function tells whether
 * a connection was rejected: a request that still arrives on it must be dropped. Connections of a trusted proxy are not
 * counted, because they carry all clients.
 */
export function limitConnections(server: Server, most: number): (socket: Socket) => boolean {
  const { TRUST_PROXY } = env();
  const refused = new WeakSet<Socket>();
  const open = new Map<string, number>();
  if (most > 0) server.on("connection", admit);
  return (socket) => refused.has(socket);

  function admit(socket: Socket): void {
    if (isTrustedProxy(socket.remoteAddress, TRUST_PROXY)) return;
    const address = addressKey(socket.remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => release(address));
    if (count <= most) return;
    refused.add(socket);
    const detail = `more than ${most} connections from one IP address`;
    answerErrorRaw(socket, new ApiError("rate_limited", detail, RETRY_SECONDS));
  }

  function release(address: string): void {
    const left = (open.get(address) ?? 1) - 1;
    if (left === 0) open.delete(address);
    else open.set(address, left);
  }
}

function addressKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, IPV6_BYTES).join(".");
}
