import { expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  type Connection,
  MalformedCallback,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Cap, Running, Transport } from "@/lib/adapters/transports/transport";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** The behavior of the peer's recipient. */
export type PeerBehavior = "answers" | "rejects" | "line_down" | "lost_answer" | "lost_send" | "slow_answer";

/** A transport with a real peer behind it, as the suite uses it. */
export interface Bench {
  transport: Transport;
  line: LineRef;
  /** The service that the transport offers. iMessage by default. */
  service?: ServiceType;
  /** False = the vendor never reports that a message was read. */
  reportsReads?: boolean;
  /** Creates a handle that behaves as `behaviour` describes. */
  recipient(behaviour: PeerBehavior): Promise<string>;
  /** The ids of the messages that the peer's recipient received, once for each arrival. */
  arrived(handle: string): Promise<string[]>;
  /** Makes the peer's recipient read all its messages. */
  read(handle: string): Promise<void>;
  /** Makes the peer forget its reports, so that it reports again. Omitted where the transport asks for receipts. */
  reportAgain?(handle: string): Promise<void>;
  newMessageId(): string;
  /** Delivers the peer's reports to the sink, and repeats each until it is stored. Omitted where `start` does so. */
  listen?(sink: Sink): Running;
  /** Present on transports with callbacks. */
  callbacks?: {
    connection: Connection;
    /**
     * Builds the peer's request with this payload (a string is sent unchanged), signed with the line's or another
     * secret.
     */
    sign(payload: unknown, secret?: string): VendorRequest;
    /** A payload that reports a message as read, and then as delivered, or only as `receiptTypes` say. */
    receipts: unknown;
    receiptTypes?: readonly string[];
  };
  /** Present on transports that poll. `happen` makes the peer report `count` more events. */
  polls?: { connection: Connection; happen(count: number): Promise<void> };
}

const SPECIAL_PARTS: [Cap, OutPart][] = [
  ["link_card", { type: "link", url: "https://example.com/a" }],
  ["app_clip", { type: "app_clip", url: "https://clip.example.com/a" }],
  [
    "app_card",
    {
      type: "app_card",
      app: { bundleId: "com.example.game", name: "Game", teamId: "ABCDE12345", appStoreId: null },
      layout: { caption: "Your move" },
      image: null,
      fallbackText: "Your move",
      interactive: true,
      url: "https://example.com/game",
      replaces: null,
    },
  ],
];

/** The behavior of a transport that the core relies on. Every transport must pass. */
export function describeTransport(bench: () => Bench): void {
  const service = () => bench().service ?? "iMessage";
  const outbound = (to: string, more: Partial<Outbound> = {}): Outbound => ({
    id: bench().newMessageId(),
    line: bench().line,
    service: service(),
    to: [to],
    group: null,
    parts: [{ type: "text", value: "hello", decorations: [], mentions: [], stickers: [] }],
    effect: null,
    replyTo: null,
    ...more,
  });
  const send = (message: Outbound, timeoutMs = 5000) =>
    bench().transport.send(message, AbortSignal.timeout(timeoutMs));

  test("a send is accepted with refs and arrives once", async () => {
    const to = await bench().recipient("answers");
    const message = outbound(to);
    const accepted = await send(message);
    expect(accepted.refs.length).toBeGreaterThan(0);
    expect(accepted).toMatchObject({ service: service(), groupRef: null });
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test.each(SPECIAL_PARTS)("with the cap %s, such a message arrives once", async (cap, part) => {
    if (!bench().transport.caps(service()).has(cap)) return;
    const to = await bench().recipient("answers");
    const message = outbound(to, { parts: [part] });
    expect((await send(message)).refs.length).toBeGreaterThan(0);
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test("with the cap reply, an answer to what was sent arrives", async () => {
    if (!bench().transport.caps(service()).has("reply")) return;
    const to = await bench().recipient("answers");
    const [ref = ""] = (await send(outbound(to))).refs;
    const answer = outbound(to, { replyTo: { ref, part: 0 } });
    await send(answer);
    expect(await bench().arrived(to)).toContain(answer.id);
  });

  test("the same message id again is the same message", async () => {
    const to = await bench().recipient("answers");
    const message = outbound(to);
    const first = await send(message);
    expect(await send(message)).toEqual(first);
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test("the same message sent twice at once arrives once", async () => {
    const to = await bench().recipient("answers");
    const message = outbound(to);
    await Promise.all([send(message), send(message)]);
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test("a group send names its conversation, and a repeat names the same", async () => {
    if (!bench().transport.caps(service()).has("group")) return;
    const to = [await bench().recipient("answers"), await bench().recipient("answers")];
    const message = outbound("", { to, group: { chatId: bench().newMessageId(), ref: null } });
    const first = await send(message);
    expect(first.groupRef).not.toBeNull();
    expect((await send(message)).groupRef).toBe(first.groupRef);
    const next = await send(
      outbound("", { to, group: { chatId: message.group?.chatId ?? "", ref: first.groupRef } }),
    );
    expect(next.groupRef).toBe(first.groupRef);
  });

  test.each([
    ["rejects", "rejected"],
    ["line_down", "line_down"],
  ] as const)(
    "a recipient or peer with %s is reported as %s, and nothing arrives",
    async (behaviour, kind) => {
      const to = await bench().recipient(behaviour);
      const message = outbound(to);
      expect(await failureOf(send(message))).toBe(kind);
      expect(await bench().arrived(to)).toEqual([]);
      expect(await bench().transport.outcome(message.line, message.id)).toEqual({ state: "absent" });
    },
  );

  test("an answer lost after the peer took it is unknown_outcome, never a refusal", async () => {
    const to = await bench().recipient("lost_answer");
    const message = outbound(to);
    expect(await failureOf(send(message))).toBe("unknown_outcome");
    expect((await bench().transport.outcome(message.line, message.id)).state).not.toBe("absent");
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test("a request lost on its way is unknown_outcome, never an acceptance", async () => {
    const to = await bench().recipient("lost_send");
    const message = outbound(to);
    expect(await failureOf(send(message))).toBe("unknown_outcome");
    expect((await bench().transport.outcome(message.line, message.id)).state).not.toBe("accepted");
    expect(await bench().arrived(to)).toEqual([]);
  });

  test("a slow peer is given up at the signal, and then knows what it took", async () => {
    const to = await bench().recipient("slow_answer");
    const message = outbound(to);
    const startedAt = performance.now();
    expect(await failureOf(send(message, 100))).toBe("unknown_outcome");
    expect(performance.now() - startedAt).toBeLessThan(2000);
    const outcome = await bench().transport.outcome(message.line, message.id);
    expect(outcome).toMatchObject({ state: "accepted", accepted: { service: service() } });
  });

  test("the outcome of an accepted send is known later", async () => {
    const message = outbound(await bench().recipient("answers"));
    const accepted = await send(message);
    expect(await bench().transport.outcome(message.line, message.id)).toEqual({
      state: "accepted",
      accepted,
    });
  });

  test("over another connection than that of its session, nothing is sent and no outcome is known", async () => {
    if (bench().transport.sessions === undefined) return;
    const to = await bench().recipient("answers");
    const message = outbound(to);
    await send(message);
    const other = { ...bench().line, connectionNumber: (bench().line.connectionNumber ?? 0) + 1 };
    const outcome = bench().transport.outcome(other, message.id);
    expect(await outcome.catch((error: AdapterError) => error.kind)).toSatisfy(
      (found: { state?: string } | string) =>
        found === "line_down" || (found as { state: string }).state === "unknown",
    );
    expect(await failureOf(send(outbound(to, { line: other })))).toBe("line_down");
    expect(await bench().arrived(to)).toEqual([message.id]);
  });

  test("a contact card is taken, the same once more too, and taken away", async () => {
    const { transport, line } = bench();
    const card = { firstName: "Harbor", lastName: null, image: null };
    const signal = AbortSignal.timeout(5000);
    for (const next of [card, card, null, null]) await transport.setContactCard?.(line, next, signal);
  });

  test("a message never sent is absent", async () => {
    const never = outbound(await bench().recipient("answers"));
    expect(await bench().transport.outcome(never.line, never.id)).toEqual({ state: "absent" });
  });

  test("receipts come by the ref of the send: delivered, then read, each once", async () => {
    const to = await bench().recipient("answers");
    const { events, stop } = listen();
    const { refs } = await send(outbound(to));
    await seen(events, "delivered", refs);
    if (bench().reportsReads === false) return stop();
    await bench().read(to);
    await seen(events, "read", refs);
    await stop();
    expect(about(events, refs)).toEqual(["delivered", "read"]);
  });

  test("a receipt the core could not store is reported again", async () => {
    const to = await bench().recipient("answers");
    let refused = 0;
    const { events, stop } = listen(() => ++refused > 2);
    const { refs } = await send(outbound(to));
    await seen(events, "delivered", refs);
    await stop();
    expect(refused).toBeGreaterThan(2);
  });

  test("events that fell due without a listener are reported to the next listener", async () => {
    const to = await bench().recipient("answers");
    const { refs } = await send(outbound(to));
    const { events, stop } = listen();
    await seen(events, "delivered", refs);
    await stop();
  });

  test("a duplicate report names the same message", async () => {
    const to = await bench().recipient("answers");
    const { events, stop } = listen();
    const { refs } = await send(outbound(to));
    await seen(events, "delivered", refs);
    if (bench().reportAgain === undefined) return stop();
    await bench().reportAgain?.(to);
    await expect.poll(() => about(events, refs)).toEqual(["delivered", "delivered"]);
    await stop();
  });

  test("a callback is parsed into the events of its payload, in its order, and a repeat gives the same", async () => {
    const parse = parserOf(bench());
    if (parse === null) return;
    const request = parse.sign(parse.receipts);
    const first = await parse.run(request);
    expect(first.events.map(({ type }) => type)).toEqual(parse.receiptTypes);
    expect(withoutTimes(await parse.run(request))).toEqual(withoutTimes(first));
  });

  test("a callback that is unsigned, changed, or signed with another secret is refused", async () => {
    const parse = parserOf(bench());
    if (parse === null) return;
    const signed = parse.sign(parse.receipts);
    const changed = Buffer.concat([signed.body, Buffer.from(" ")]);
    for (const request of [
      { ...signed, headers: {} },
      { ...signed, body: changed },
      { ...signed, body: new Uint8Array() },
      parse.sign(parse.receipts, "another-secret"),
    ]) {
      await expect(parse.run(request)).rejects.toBeInstanceOf(SignatureRefused);
    }
  });

  test.each(["", "{", "[]", "null", '{"receipts":[{"number":"x"}]}', "\u0000"])(
    "a signed callback with the body %j is malformed or reports nothing",
    async (body) => {
      const parse = parserOf(bench());
      if (parse === null) return;
      const parsed = await parse.run(parse.sign(body)).catch((error: unknown) => error);
      if (parsed instanceof Error) expect(parsed).toBeInstanceOf(MalformedCallback);
      else expect(parsed).toMatchObject({ events: [] });
    },
  );

  test("a poll reads what happened after its cursor, page by page, and then nothing", async () => {
    const poll = pollerOf(bench());
    if (poll === null) return;
    const before = await poll.readAll(null);
    await poll.happen(5);
    const after = await poll.readAll(before.cursor);
    expect(after.events).toHaveLength(5);
    expect(await poll.read(after.cursor)).toEqual({ events: [], cursor: after.cursor, more: false });
    expect((await poll.readAll(null)).events).toEqual([...before.events, ...after.events]);
  });

  test("a poll with the same cursor reports the same events again", async () => {
    const poll = pollerOf(bench());
    if (poll === null) return;
    const { cursor } = await poll.readAll(null);
    await poll.happen(1);
    expect(await poll.read(cursor)).toEqual(await poll.read(cursor));
  });

  test("a poll that is aborted rejects", async () => {
    const poll = pollerOf(bench());
    if (poll === null) return;
    await expect(poll.read(null, AbortSignal.abort())).rejects.toThrow();
  });

  function listen(stores: () => boolean = () => true) {
    const events: InEvent[] = [];
    const sink: Sink = {
      async receive(_, reported) {
        if (!stores()) throw new Error("not stored");
        events.push(...reported);
      },
    };
    const running = bench().listen?.(sink) ?? bench().transport.start?.(sink);
    if (running === undefined) throw new Error("a transport without receipts needs a suite of its own");
    return { events, stop: () => running.stop() };
  }
}

function parserOf({ transport, line, callbacks }: Bench) {
  if (transport.parseCallback === undefined) return null;
  if (callbacks === undefined) throw new Error("a transport with callbacks needs them on its bench");
  const { connection, sign, receipts, receiptTypes = ["read", "delivered"] } = callbacks;
  const run = async (request: VendorRequest) => {
    if (transport.parseCallback === undefined) throw new Error("the transport parses no callbacks");
    return transport.parseCallback(line, connection, request);
  };
  return { sign, receipts, receiptTypes, run };
}

/** Vendors that report no time have the time of the callback. */
function withoutTimes({ events, reply }: Callback) {
  return { events: events.map((event) => ({ ...event, at: null })), reply };
}

function pollerOf({ transport, line, polls }: Bench) {
  const { poll } = transport;
  if (poll === undefined) return null;
  if (polls === undefined) throw new Error("a transport that polls needs `polls` on its bench");
  const read = (cursor: string | null, signal = AbortSignal.timeout(5000)) =>
    poll.read(line, polls.connection, cursor, signal);
  const readAll = async (from: string | null) => {
    const events: InEvent[] = [];
    let page = await read(from);
    events.push(...page.events);
    while (page.more) {
      page = await read(page.cursor);
      events.push(...page.events);
    }
    return { events, cursor: page.cursor };
  };
  return { read, readAll, happen: polls.happen };
}

async function failureOf(send: Promise<unknown>): Promise<string> {
  const error = await send.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AdapterError ? error.kind : `${error}`;
}

function about(events: readonly InEvent[], refs: readonly string[]): string[] {
  return events.flatMap((event) =>
    "ref" in event && event.ref !== null && refs.includes(event.ref) ? event.type : [],
  );
}

async function seen(events: readonly InEvent[], on: string, refs: readonly string[]): Promise<void> {
  await expect.poll(() => about(events, refs)).toContain(on);
}
