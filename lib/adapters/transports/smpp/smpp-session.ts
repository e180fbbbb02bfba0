import "server-only";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { createReceiptIds, type ReceiptIds } from "@/lib/adapters/transports/smpp/receipt-ids";
import { type BindState, openBind, type SmppBind } from "@/lib/adapters/transports/smpp/smpp-bind";
import { type ReceivingLine, SmppReceiver } from "@/lib/adapters/transports/smpp/smpp-receive";
import { createSender } from "@/lib/adapters/transports/smpp/smpp-send";
import { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import type { Running } from "@/lib/adapters/transports/transport";
import { log } from "@/lib/platform/telemetry/log";
import { countryOf } from "@/lib/platform/text/phone-handle";
import { createBackoff } from "@/lib/platform/time/backoff";

/** A bind and the lines that share it: lines with the same settings, such as the numbers of one contract. */
interface SharedBind {
  bind: SmppBind;
  ids: ReceiptIds;
  lines: Set<ReceivingLine>;
  /** null until the first bind was accepted or refused. */
  state: BindState | null;
  stop(): Promise<void>;
}

const shared = globalThis as typeof globalThis & {
  trunklineSmpp?: {
    senders: Map<string, { line: LineRef; sends: LoggedSends }>;
    binds: Map<string, SharedBind>;
  };
};

function state() {
  shared.trunklineSmpp ??= { senders: new Map(), binds: new Map() };
  return shared.trunklineSmpp;
}

/** The sends of a line whose session is open in this process, unless it is that of another connection. */
export function smppSendsOf({ id, connectionNumber }: LineRef): LoggedSends | undefined {
  const open = state().senders.get(id);
  const isSame = connectionNumber === undefined || open?.line.connectionNumber === connectionNumber;
  return isSame ? open?.sends : undefined;
}

/** Opens the session of a line: a bind of its own, or that of another line with the same settings. Throws ZodError. */
export function openSession(line: LineRef, connection: Connection, sink: Sink): Running {
  const settings = SmppSettings.parse(connection);
  const { senders, binds } = state();
  const key = keyOf(line.accountId, settings);
  const used = binds.get(key) ?? openShared(settings);
  binds.set(key, used);
  const sourceAddress = settings.source_address ?? line.phoneNumber.replace(/^\+/, "");
  const country = settings.country ?? countryOf(line.phoneNumber);
  const receiving: ReceivingLine = { line, sourceAddress, country, sink };
  used.lines.add(receiving);
  const sender = { line, sends: createSender(line, settings, used) };
  senders.set(line.id, sender);
  if (used.state !== null) reportState(used, receiving);

  return {
    async stop() {
      used.lines.delete(receiving);
      if (senders.get(line.id) === sender) senders.delete(line.id);
      if (used.lines.size > 0) return;
      if (binds.get(key) === used) binds.delete(key);
      await used.stop();
    },
  };
}

function openShared(settings: SmppSettings): SharedBind {
  const lines = new Set<ReceivingLine>();
  const ids = createReceiptIds(settings.message_ids);
  const receiver = new SmppReceiver(settings, lines, ids);
  const opened: SharedBind = {
    lines,
    ids,
    state: null,
    bind: openBind(settings, {
      onState(state) {
        if (isDeepStrictEqual(opened.state, state)) return;
        opened.state = state;
        for (const receiving of lines) reportState(opened, receiving);
      },
      onDeliver: (pdu) => receiver.deliver(pdu),
      onClose: () => receiver.closed(),
    }),
    stop: () => opened.bind.stop(),
  };
  return opened;
}

/** Reports whether the line is up, again until it is stored or out of date. */
function reportState(opened: SharedBind, receiving: ReceivingLine): void {
  const { state } = opened;
  const backoff = createBackoff({ leastMs: 500, mostMs: 10_000 });
  const report = () => {
    if (state === null || opened.state !== state || !opened.lines.has(receiving)) return;
    const event = state.isUp ? { up: true } : { up: false, reason: state.reason };
    receiving.sink.receive(receiving.line, [{ type: "line", ...event }]).catch((error: unknown) => {
      log.warn({ err: error, lineId: receiving.line.id }, "the state of a line could not be stored");
      setTimeout(report, backoff.next()).unref();
    });
  };
  report();
}

/** Lines share a bind only within an account, and only if all settings except those of their numbers are equal. */
function keyOf(accountId: string, given: SmppSettings): string {
  const { source_address: _, source_npi: _npi, source_ton: _ton, country: _country, ...settings } = given;
  return createHash("sha256")
    .update(JSON.stringify([accountId, settings]))
    .digest("base64");
}
