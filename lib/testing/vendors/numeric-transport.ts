import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  type Connection,
  connectionOf,
  MalformedCallback,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Accepted } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { PolledPage, Transport } from "@/lib/adapters/transports/transport";
import { ServiceType } from "@/lib/platform/prisma/enums";

const Message = z.object({ number: z.int(), service: z.enum(ServiceType) });

const Body = z.object({
  receipts: z.array(z.object({ number: z.int(), status: z.literal([2, 3, 4]), at: z.int() })).default([]),
  messages: z
    .array(z.object({ number: z.int(), from: z.string(), text: z.string(), at: z.int() }))
    .default([]),
});

const Page = Body.extend({ next: z.int(), more: z.boolean() });

const RECEIPTS = { 2: "delivered", 3: "read" } as const;

/**
 * The adapter for the vendor in numeric-vendor.ts. It shows that the transport port is not specific to the simulator.
 */
export const numericTransport: Transport = {
  name: "numeric",
  caps: () => new Set(),
  capabilityCacheSeconds: 60,
  probe: async () => "unknown",
  async send(message, signal) {
    const text = message.parts.map((part) => (part.type === "text" ? part.value : "")).join("");
    const body = JSON.stringify({ id: message.id, to: message.to[0], text, service: message.service });
    const response = await call(message.line, "/messages", { method: "POST", body, signal });
    if (response.status === 422) throw new AdapterError("rejected", "the vendor refused the message");
    if (response.status === 403) throw new AdapterError("line_down", "the vendor suspended the line");
    return accepted(await response.json());
  },
  async outcome(line, messageId) {
    const response = await call(line, `/messages/${messageId}`, {});
    if (response.status === 404) return { state: "absent" };
    if (!response.ok) return { state: "unknown" };
    return { state: "accepted", accepted: accepted(await response.json()) };
  },
  async act({ action }) {
    throw new AdapterError("unsupported", `the vendor has no ${action.type}`);
  },
  parseCallback: async (_, connection, request) => parse(connection, request),
  poll: { everySeconds: 30, read: (_, connection, cursor, signal) => poll(connection, cursor, signal) },
};

async function call(line: LineRef, path: string, init: RequestInit): Promise<Response> {
  const { url } = await connectionOf(line);
  return fetch(`${url}${path}`, init).catch(() => {
    throw new AdapterError("unknown_outcome", "the vendor did not answer");
  });
}

function accepted(body: unknown): Accepted {
  const { number, service } = Message.parse(body);
  return { refs: [`${number}`], groupRef: null, service };
}

function parse({ secret = "" }: Connection, { headers, body }: VendorRequest): Callback {
  const expected = createHmac("sha256", secret).update(body).digest();
  const given = Buffer.from(headers["x-vendor-signature"] ?? "", "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new SignatureRefused();
  const reply = { status: 200, headers: { "content-type": "text/plain" }, body: "OK" };
  return { events: toEvents(read(Buffer.from(body).toString())), reply };
}

async function poll({ url }: Connection, cursor: string | null, signal: AbortSignal): Promise<PolledPage> {
  const response = await fetch(`${url}/reports${cursor === null ? "" : `?after=${cursor}`}`, { signal });
  if (!response.ok) throw new AdapterError("rate_limited", `the vendor answered ${response.status}`);
  const { next, more, ...reports } = Page.parse(await response.json());
  return { events: toEvents(reports), cursor: `${next}`, more };
}

function toEvents({ receipts, messages }: z.infer<typeof Body>): InEvent[] {
  return [
    ...messages.map(({ number, from, text, at }) => ({
      type: "message" as const,
      ref: `${number}`,
      groupRef: null,
      from,
      others: [],
      service: "SMS" as const,
      at: new Date(at * 1000),
      parts: [{ type: "text" as const, value: text }],
    })),
    ...receipts.map(({ number, status, at }) => {
      const receipt = { ref: `${number}`, at: new Date(at * 1000) };
      if (status !== 4) return { type: RECEIPTS[status], ...receipt };
      return { type: "failed" as const, ...receipt, error: new AdapterError("undeliverable", "status 4") };
    }),
  ];
}

function read(text: string): z.infer<typeof Body> {
  try {
    return Body.parse(JSON.parse(text));
  } catch {
    throw new MalformedCallback("the body is not a report of this vendor");
  }
}
