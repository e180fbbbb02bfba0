import { AdapterError } from "@/lib/adapters/adapter-error";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { Accepted, Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Transport } from "@/lib/adapters/transports/transport";
import { findConnection } from "@/lib/lines/connections/line-connection";

/** The outcome of the next requests of a line. */
export interface Fault {
  send: "works" | "send lost" | "answer lost" | "failed, arrived" | "failed" | "refused" | "half refused";
  lookup: "works" | "lost";
}

/** A message at a vendor. */
interface Arrival {
  messageId: string;
  lineId: string;
  ref: string;
  parts: number;
}

/**
 * Vendors in memory that lose requests and answers as a test says. Each counts the ids of its messages from 1, for each
 * line. `keyed` recognizes repeats by our message id, as an upstream does; `logged` has no keys, as an SMS center.
 */
export function createFailingVendors(names: Readonly<Record<string, "keyed" | "logged">>) {
  const faults = new Map<string, Fault>();
  const arrivals = new Map<string, Arrival[]>(Object.keys(names).map((name) => [name, []]));
  const sessions = new Map<string, LoggedSends>();
  const faultOf = ({ id }: LineRef) => faults.get(id) ?? { send: "works", lookup: "works" };

  function arrive(name: string, { id: messageId, line }: Outbound): Arrival {
    const all = arrivals.get(name) ?? [];
    const ofLine = all.filter(({ lineId }) => lineId === line.id);
    const arrival = { messageId, lineId: line.id, ref: `${ofLine.length + 1}`, parts: 1 };
    all.push(arrival);
    return arrival;
  }

  /** Runs the scripted fault around an arrival. */
  function perform<Result>(line: LineRef, work: () => Result): Result {
    const { send } = faultOf(line);
    if (send === "refused") throw new AdapterError("line_down", "the vendor refused the credentials");
    if (send === "send lost") throw new AdapterError("unknown_outcome", "the connection was cut");
    if (send === "failed") throw new AdapterError("unknown_outcome", "status 503");
    const result = work();
    if (send === "works" || send === "half refused") return result;
    throw new AdapterError("unknown_outcome", "the answer was lost");
  }

  const toAccepted = ({ ref }: Pick<Arrival, "ref">): Accepted => ({
    refs: [ref],
    groupRef: null,
    service: "SMS",
  });
  const find = (name: string, messageId: string) =>
    arrivals.get(name)?.find((arrival) => arrival.messageId === messageId);

  function keyed(name: string): Pick<Transport, "send" | "outcome"> {
    return {
      async send(message) {
        await findConnection(message.line);
        return toAccepted(perform(message.line, () => find(name, message.id) ?? arrive(name, message)));
      },
      async outcome(line, messageId) {
        await findConnection(line);
        if (faultOf(line).lookup === "lost") return { state: "repeatable" };
        const found = find(name, messageId);
        return found === undefined ? { state: "absent" } : { state: "accepted", accepted: toAccepted(found) };
      },
    };
  }

  function sessionOf(name: string, line: LineRef): LoggedSends {
    const key = `${name} ${line.id} ${line.connectionNumber}`;
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const opened = createLoggedSends(line, async (message, { refs }) => {
      if (refs.length > 0) return void perform(message.line, () => undefined);
      refs.push(perform(message.line, () => arrive(name, message)).ref);
      if (faultOf(message.line).send === "half refused") {
        throw new AdapterError("line_down", "the vendor refused the second part");
      }
    });
    sessions.set(key, opened);
    return opened;
  }

  function logged(name: string): Pick<Transport, "send" | "outcome"> {
    return {
      send: (message, signal) => sessionOf(name, message.line).send(message, signal),
      outcome: (line, messageId) => sessionOf(name, line).outcome(messageId),
    };
  }

  return {
    transports: Object.entries(names).map(
      ([name, kind]): Transport => ({
        name,
        caps: () => new Set(),
        capabilityCacheSeconds: 60,
        probe: async () => "unknown",
        act: async () => undefined,
        ...(kind === "keyed" ? keyed(name) : logged(name)),
      }),
    ),
    fail: (lineId: string, fault: Fault) => void faults.set(lineId, fault),
    /** The process of a line's sessions ended. */
    restart(lineId: string) {
      for (const key of sessions.keys()) if (key.includes(lineId)) sessions.delete(key);
    },
    /** The names of the vendors that got a message, once for each time. */
    arrivalsOf: (messageId: string) =>
      [...arrivals].flatMap(([name, all]) =>
        all.flatMap((each) => (each.messageId === messageId ? name : [])),
      ),
    /** The messages of a line at a vendor. */
    messagesAt: (name: string, lineId: string) =>
      (arrivals.get(name) ?? []).filter((arrival) => arrival.lineId === lineId),
  };
}
