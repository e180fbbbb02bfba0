const SHOWN = 5;

/** Compares the clients' responses and the endpoint's webhooks with the database. Returns the problems as sentences. */
export async function checkOutcome({ database, emitted, received, drainSeconds }) {
  const messages = await database.query(
    `select id, parts -> 0 ->> 'value' as text, idempotency_key as key, delivery_status as status, is_from_me,
       dispatch_at, dispatch_lease_until, failure_code
     from messages order by id`,
  );
  const copies = await database.query(
    `select ref, handle, count(*)::int as count, max(parts -> 0 ->> 'value') as text, min(sender) as sender
     from simulator_messages group by ref, handle`,
  );
  const events = await database.query(
    `select e.id, e.type, e.internal, e.message_id, e.created_at > s.created_at and e.type = any(s.subscribed_events) as is_wanted
     from events e cross join webhook_subscriptions s`,
  );
  const deliveries = await database.query(
    `select e.id as event_id, d.status from webhook_deliveries d
     join events e on e.account_id = d.account_id and e.seq = d.event_seq`,
  );

  const sent = messages.filter((message) => message.is_from_me);
  const problems = [
    drainSeconds === null ? "the work did not end within two minutes" : null,
    ...checkSends(emitted.sends, sent),
    ...checkTexts(
      emitted.texts,
      messages.filter((message) => !message.is_from_me),
    ),
    ...checkPhones(sent, copies),
    ...checkMessageEvents(sent, events),
    ...checkWebhooks(events, deliveries, received),
  ].filter((problem) => problem !== null);

  const receivedIds = new Set(received.map((webhook) => webhook.eventId));
  return {
    problems,
    details: {
      "sends accepted": emitted.sends.length,
      "requests it took": emitted.sends.reduce((sum, send) => sum + send.tries, 0),
      "messages sent on": sent.filter((message) => message.status !== "failed").length,
      "messages failed": sent.filter((message) => message.status === "failed").length,
      "texts from phones": emitted.texts.filter((text) => text.stored).length,
      "events expected at the endpoint": deliveries.length,
      "events received there": receivedIds.size,
      "received more than once": received.length - receivedIds.size,
      "seconds until all was done": drainSeconds,
    },
  };
}

function checkSends(sends, sent) {
  const byKey = Map.groupBy(sent, (message) => message.text);
  const rowsOf = (send) => byKey.get(send.key) ?? [];
  return [
    list(
      "sends were refused",
      sends.filter((send) => send.status !== 202),
    ),
    list(
      "accepted sends are lost",
      sends.filter((send) => rowsOf(send).length === 0),
    ),
    list(
      "keys made two messages",
      sends.filter((send) => rowsOf(send).length > 1),
    ),
    list(
      "sends were answered with another message's id",
      sends.filter((send) => send.accepted.some((id) => id !== rowsOf(send)[0]?.id)),
    ),
    list(
      "messages are not dispatched",
      sent.filter(
        ({ status, dispatch_at, dispatch_lease_until }) =>
          !["sent", "delivered", "read", "failed"].includes(status) ||
          dispatch_at !== null ||
          dispatch_lease_until !== null,
      ),
    ),
    list(
      "messages that no client sent",
      notIn(sent, new Set(sends.map((send) => send.key)), (message) => message.key),
    ),
  ];
}

function checkTexts(texts, inbound) {
  const byText = Map.groupBy(inbound, (message) => message.text);
  return [
    list(
      "stored texts are lost",
      texts.filter((text) => text.stored && !byText.has(text.text)),
    ),
    list(
      "texts were received twice",
      texts.filter((text) => (byText.get(text.text)?.length ?? 0) > 1),
    ),
  ];
}

function checkPhones(sent, copies) {
  const bySend = Map.groupBy(
    copies.filter((copy) => copy.text.startsWith("send-")),
    (copy) => copy.text,
  );
  const copiesOf = (message) => (bySend.get(message.text) ?? []).reduce((sum, copy) => sum + copy.count, 0);
  const arrived = sent.filter((message) => message.status !== "failed");
  return [
    list(
      "messages are on no phone",
      arrived.filter((message) => copiesOf(message) === 0),
    ),
    list(
      "messages are on a phone more than once",
      sent.filter((message) => copiesOf(message) > 1),
    ),
  ];
}

// Each step in a message's life emits one event, so a repeated event is a defect.
function checkMessageEvents(sent, events) {
  const steps = Map.groupBy(
    events.filter((event) => !event.internal),
    (event) => `${event.type} ${event.message_id}`,
  );
  const countOf = (message, type) => steps.get(`${type} ${message.id}`)?.length ?? 0;
  const arrived = sent.filter((message) => message.status !== "failed");
  return [
    list(
      "messages without exactly one message.sent",
      arrived.filter((message) => countOf(message, "message.sent") !== 1),
    ),
    list(
      "messages without exactly one message.delivered",
      arrived.filter((message) => countOf(message, "message.delivered") !== 1),
    ),
    list(
      "failed messages without exactly one message.failed",
      sent.filter((message) => message.status === "failed" && countOf(message, "message.failed") !== 1),
    ),
  ];
}

function checkWebhooks(events, deliveries, received) {
  const pending = new Set(deliveries.map((delivery) => delivery.event_id));
  const known = new Map(events.map((event) => [event.id, event]));
  const arrived = new Set(received.map((webhook) => webhook.eventId));
  // The demo's own events are older than the only subscription, which does not include events about line status.
  const wanted = events.filter((event) => !event.internal && event.is_wanted);
  return [
    list(
      "deliveries were given up",
      deliveries.filter((delivery) => delivery.status !== "delivered"),
    ),
    list(
      "events never reached the endpoint",
      notIn(deliveries, arrived, (delivery) => delivery.event_id),
    ),
    list(
      "events have no delivery",
      notIn(wanted, pending, (event) => event.id),
    ),
    list(
      "webhooks of events that do not exist",
      received.filter(({ eventId, type }) => known.get(eventId)?.type !== type),
    ),
  ];
}

function notIn(items, known, keyOf) {
  return items.filter((item) => !known.has(keyOf(item)));
}

function list(what, items) {
  if (items.length === 0) return null;
  const shown = items.slice(0, SHOWN).map((item) => JSON.stringify(item));
  return `${items.length} ${what}: ${shown.join(", ")}`;
}
