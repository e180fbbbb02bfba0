import { type Connection, provideConnections } from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import { provideSink } from "@/lib/adapters/transports/sink";
import type { PolledLine, PolledPage } from "@/lib/adapters/transports/transport";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { type FakeAndroid, startFakeAndroid } from "@/lib/testing/vendors/fake-android";

/**
 * A line of the transport `android` outside of the core, with the clock stopped: polls are read with the cursor that the
 * test passes. `reported` has what sends report to the sink.
 */
export function createAndroidBench() {
  const transport = transportOf("android");
  let connection: Connection = {};
  let people = 0;
  const reported: InEvent[] = [];
  const line: LineRef = {
    accountId: newId(1),
    id: newId(1),
    phoneNumber: "+12025550100",
    lineType: "RCS",
  };
  setClock({ offsetMs: 0, frozenAt: new Date("2026-11-28T12:00:00Z") });
  provideConnections(
    async () => connection,
    async (_, was, added) => {
      connection = { ...was, ...added };
      return true;
    },
  );
  provideSink({ receive: async (_, events) => void reported.push(...events) });

  function read(cursor: string | null, polled: PolledLine = line): Promise<PolledPage> {
    if (transport.poll === undefined) throw new Error("phones are polled");
    return transport.poll.read(polled, connection, cursor, AbortSignal.timeout(20_000));
  }

  function outbound(to: string, parts: OutPart[] = [text("hello")]): Outbound {
    const id = newId(now().getTime());
    return { id, line, service: "SMS", to: [to], group: null, parts, effect: null, replyTo: null };
  }

  return {
    line,
    reported,
    read,
    outbound,
    send: (message: Outbound) => transport.send(message, AbortSignal.timeout(5000)),
    outcome: (messageId: string) => transport.outcome(line, messageId),
    newPerson: () => `+1555013${1000 + ++people}`,
    connection: () => connection,
    connect(to: Connection) {
      connection = to;
    },
    advance(seconds: number) {
      setClock({ offsetMs: 0, frozenAt: new Date(now().getTime() + seconds * 1000) });
    },
    /** Starts a phone for one test, and passes it with the cursor of its first poll. */
    async withPhone(
      run: (phone: FakeAndroid, cursor: string) => Promise<void>,
      settings: Readonly<Record<string, string>> = {},
      prepare: (phone: FakeAndroid) => void = () => undefined,
    ): Promise<void> {
      const phone = await startFakeAndroid();
      try {
        prepare(phone);
        connection = { ...phone.connection, ...settings };
        await run(phone, (await read(null)).cursor);
      } finally {
        await phone.close();
      }
    },
    close: () => setClock(null),
  };
}

export function text(value: string): OutPart {
  return { type: "text", value, decorations: [], mentions: [], stickers: [] };
}

/** Resolves when a phone has sent what it took. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
