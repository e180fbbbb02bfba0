interface RecordedEvent {
  accountId: string;
  seq: number;
  id: string;
  type: string;
  internal: boolean;
  messageId: string;
  chatId: string | null;
  dataId: string;
}

const EVENT_TYPES = [
  "message.sent",
  "message.delivered",
  "message.received",
  "message.failed",
  "payment.succeeded",
  "payment.canceled",
];

/**
 * A record of a history without a defect, as `readRecord` returns it, for tests that plant defects in it: account a1 sends
 * two messages to +1 and one to a group, +1 writes and then opts out, and two payments end. It schedules messages: one is
 * rewritten and moved, one is canceled, and one is refused because +1 has opted out. Account a2 sends two messages through
 * an SMS center.
 */
export function recordedHistory() {
  const events = [
    event(1, "message.received", { messageId: "t1" }),
    event(2, "message.sent", { messageId: "m1" }),
    event(3, "message.delivered", { messageId: "m1" }),
    event(5, "message.sent", { messageId: "m2" }),
    event(6, "message.sent", { messageId: "m3", chatId: "c3" }),
    event(7, "payment.succeeded", { dataId: "p1", chatId: null }),
    event(8, "payment.canceled", { dataId: "p2", chatId: null }),
    event(9, "message.received", { messageId: "t2" }),
    event(10, "message.sent", { messageId: "m4", accountId: "a2", chatId: "c2" }),
    event(11, "message.sent", { messageId: "m5", accountId: "a2", chatId: "c2" }),
    event(12, "message.sent", { messageId: "l2", chatId: "c4" }),
    event(13, "message.failed", { messageId: "l5" }),
    event(14, "message.sent", { messageId: "l3", chatId: "c4" }),
  ];
  const deliveries = deliver(events.filter(({ accountId }) => accountId === "a1"));
  return {
    ...{ isEnd: true, drainSeconds: 1, smppAccount: "a2" },
    events,
    deliveries,
    messages: [
      message("m1", "send 0-1.", { status: "delivered" }),
      message("m2", "send 0-2."),
      message("m3", "send 0-3.", { chatId: "c3" }),
      message("m4", "send 1-4.", { accountId: "a2", chatId: "c2" }),
      message("m5", "send 1-5.", { accountId: "a2", chatId: "c2" }),
      message("l2", "later 0-21.", { chatId: "c4" }),
      message("l3", "later 0-22.", { chatId: "c4" }),
      message("l5", "later 0-24.", { status: "failed", failureCode: 2024 }),
      message("t1", "text 0-6.", { isFromMe: false, status: "received" }),
      message("t2", "STOP", { isFromMe: false, status: "received" }),
    ],
    copies: [
      copy("+1", "send 0-1."),
      copy("+1", "send 0-2."),
      copy("+1", "send 0-3."),
      copy("+2", "send 0-3."),
      copy("+1", "text 0-6."),
      copy("+3", "later 0-21."),
      copy("+3", "later 0-22."),
    ],
    vendorMessages: [
      { handle: "+1", text: "send 1-4." },
      { handle: "+1", text: "send 1-5." },
    ],
    sends: [
      send("m1", "send 0-1.", 10),
      send("m2", "send 0-2.", 20),
      send("m3", "send 0-3.", 30, { chatId: "c3", members: ["+1", "+2"] }),
      send("m4", "send 1-4.", 10, { accountId: "a2", chatId: "c2" }),
      send("m5", "send 1-5.", 20, { accountId: "a2", chatId: "c2" }),
      send(null, "send 0-7.", 70, { outcome: "rejected", code: 2024 }),
    ],
    scheduled: [
      scheduled([
        asked("schedule", 10, { messageId: "l1", text: "later 0-20.", dueAt: 2000 }),
        asked("move", 20, { messageId: "l2", text: "later 0-21.", dueAt: 1000 }),
      ]),
      scheduled([asked("schedule", 30, { messageId: "l3", text: "later 0-22.", dueAt: 3000 })]),
      scheduled([
        asked("schedule", 50, { messageId: "l4", text: "later 0-23.", dueAt: 2000 }),
        asked("cancel", 60, {}),
      ]),
      scheduled([asked("schedule", 40, { messageId: "l5", text: "later 0-24.", dueAt: 2000 })], {
        chatId: "c1",
        members: ["+1"],
      }),
    ],
    ticks: [0, 1000, 2000, 3000].map((latestMs, index) => ({
      ...{ begunAt: index * 100, endedAt: index * 100 + 1 },
      latestMs,
    })),
    left: [left("later 0-21.", 1), left("later 0-24.", 2), left("later 0-22.", 3)],
    askedTexts: [
      ...["later 0-20.", "later 0-21.", "later 0-22.", "later 0-23.", "later 0-24."].map(byProgram),
      ...["send 0-1.", "send 0-2.", "send 0-3.", "send 0-7."].map(byProgram),
      ...["send 1-4.", "send 1-5."].map((text) => ({ accountId: "a2", text })),
    ],
    texts: [text("text 0-6.", 5), text("STOP", 60)],
    payments: [
      { accountId: "a1", id: "p1", status: "succeeded", isPaid: true },
      { accountId: "a1", id: "p2", status: "canceled", isPaid: false },
    ],
    subscriptions: [{ accountId: "a1", id: "s1", types: EVENT_TYPES }],
    received: deliveries.map(({ subscriptionId, accountId, eventId, sequence }) => ({
      ...{ subscriptionId, accountId, eventId, sequence, isSigned: true, status: 200 },
      type: events.find(({ id }) => id === eventId)?.type ?? "",
    })),
    streams: [
      {
        accountId: "a1",
        frames: deliveries.map(({ eventId }) => ({
          seq: Number(eventId.slice(1)),
          eventId,
          isReplay: false,
        })),
      },
    ],
    answers: [
      { accountId: "a1", operation: "GET /v3/chats", status: 200, isForeign: false, ids: ["m1", "c1"] },
      { accountId: "a1", operation: "GET /v3/chats/c2", status: 403, isForeign: true, ids: [""].slice(1) },
    ],
    pending: [{ queue: "", count: 0 }].slice(1),
    memory: [{ bytes: 200 * 1024 * 1024 }],
  };
}

function event(seq: number, type: string, more: Partial<RecordedEvent>): RecordedEvent {
  const none = { messageId: "", chatId: "c1", dataId: "" };
  return { accountId: "a1", seq, id: `e${seq}`, type, internal: false, ...none, ...more };
}

/** A delivered delivery of each event, numbered per chat. */
function deliver(events: RecordedEvent[]) {
  const last = new Map<string | null, number>();
  return events.map(({ id, accountId, chatId }) => {
    const sequence = (last.get(chatId) ?? 0) + 1;
    last.set(chatId, sequence);
    return {
      ...{
        accountId,
        subscriptionId: "s1",
        eventId: id,
        chatId,
        sequence,
        status: "delivered",
      },
      isReplay: false,
    };
  });
}

function message(id: string, text: string, more: object = {}) {
  return {
    ...{ accountId: "a1", id, chatId: "c1", text, isFromMe: true, status: "sent", failureCode: null },
    ...more,
  };
}

function copy(handle: string, text: string) {
  return { accountId: "a1", handle, sender: "line", text };
}

function send(messageId: string | null, text: string, begunAt: number, more: object = {}) {
  return {
    ...{
      accountId: "a1",
      chatId: "c1",
      members: ["+1"],
      messageId,
      text,
      key: text,
      outcome: "accepted",
      code: null,
    },
    ...{ begunAt, answeredAt: begunAt + 5 },
    ...more,
  };
}

interface RecordedAsk {
  messageId: string | null;
  text: string | null;
  dueAt: number;
}

function asked(kind: "schedule" | "move" | "cancel", begunAt: number, more: Partial<RecordedAsk>) {
  const none: RecordedAsk = { messageId: null, text: null, dueAt: 0 };
  const ask = { outcome: "done", status: 200, waited: true, begunAt, answeredAt: begunAt + 5 };
  return { kind, ...ask, ...none, ...more };
}

function scheduled(asks: ReturnType<typeof asked>[], more: { chatId?: string; members?: string[] } = {}) {
  return { accountId: "a1", chatId: "c4", members: ["+3"], asks, ...more };
}

function left(leftText: string, tick: number) {
  return { accountId: "a1", text: leftText, tick };
}

function byProgram(own: string) {
  return { accountId: "a1", text: own };
}

function text(written: string, begunAt: number) {
  return {
    accountId: "a1",
    handle: "+1",
    text: written,
    outcome: "accepted",
    begunAt,
    answeredAt: begunAt + 5,
  };
}
