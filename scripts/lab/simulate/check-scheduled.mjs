import { isOptedOut, personKey, placeKey, sentPlaces, textKey } from "./check-messages.mjs";

export const SCHEDULED_INVARIANTS = [
  {
    name: "scheduled once",
    sentence:
      "A scheduled message leaves once, as it was last changed, or is refused. Until then it is found.",
    isAnytime: false,
    check: ({ scheduled, messages }) => {
      const byText = Map.groupBy(messages, textKey);
      return scheduled.filter((one) => {
        const rows = textsOf(one).flatMap((text) => byText.get(textKey({ ...one, text })) ?? []);
        if (one.asks[0].outcome === "refused") return rows.length > 0;
        if (isCanceled(one)) return false;
        if (!isCertain(one)) return rows.length > 1;
        const { messageId, text } = lastOf(one);
        const isFound = one.asks.every(({ status }) => status !== 404);
        return !isFound || rows.length !== 1 || rows[0].id !== messageId || rows[0].text !== text;
      });
    },
  },
  {
    name: "canceled never leaves",
    sentence:
      "A scheduled message whose cancellation was answered never leaves, nor does content that was replaced.",
    isAnytime: true,
    check: ({ scheduled, messages }) => {
      const present = new Set(messages.map(textKey));
      return scheduled.filter((one) => {
        const { text: last } = lastOf(one) ?? {};
        const isReplaced = one.asks.some(({ kind, outcome, text }) => {
          return (
            kind !== "cancel" && outcome === "done" && text !== last && present.has(textKey({ ...one, text }))
          );
        });
        const isThere = textsOf(one).some((text) => present.has(textKey({ ...one, text })));
        return isReplaced || (isCanceled(one) && isThere);
      });
    },
  },
  {
    name: "not before its time",
    sentence: "A scheduled message does not leave before its time.",
    isAnytime: false,
    check: (record) => leaving(record).filter(({ dueAt, tick }) => record.ticks[tick].latestMs < dueAt),
  },
  {
    name: "scheduled in order",
    sentence: "Scheduled messages of a chat leave in the order of their times.",
    isAnytime: false,
    check: (record) => {
      const places = sentPlaces(record);
      const sent = leaving(record)
        .filter((one) => one.isCertain && one.waited && places.has(placeKey(record, one)))
        .map((one) => ({
          ...one,
          place: places.get(placeKey(record, one)),
          possibleAt: possibleAt(record, one),
        }));
      return [...Map.groupBy(sent, ({ accountId, chatId }) => `${accountId} ${chatId}`).values()].flatMap(
        (own) =>
          own.flatMap((later) =>
            own
              .filter(({ dueAt, answeredAt }) => dueAt < later.dueAt && answeredAt <= later.possibleAt)
              .filter(({ place }) => place > later.place)
              .map((earlier) => ({ earlier: earlier.text, later: later.text })),
          ),
      );
    },
  },
  {
    name: "opted out when due",
    sentence: "A scheduled message that is due after a STOP was stored is refused.",
    isAnytime: false,
    check: (record) => {
      const byPerson = Map.groupBy(record.texts, personKey);
      return leaving(record)
        .filter(({ isCertain, row }) => isCertain && row.status !== "failed")
        .filter((one) => {
          const texts = byPerson.get(personKey({ ...one, handle: one.members[0] })) ?? [];
          const { endedAt } = record.ticks[one.tick];
          return isOptedOut(texts, { begunAt: possibleAt(record, one), answeredAt: endedAt });
        });
    },
  },
];

/** The texts that a scheduled message had or may have had. */
function textsOf({ asks }) {
  return [...new Set(asks.flatMap(({ text }) => (text === null ? [] : [text])))];
}

function isCanceled({ asks }) {
  return asks.some(({ kind, outcome }) => kind === "cancel" && outcome === "done");
}

/** Whether each request about it was answered. */
function isCertain({ asks }) {
  return asks.every(({ outcome }) => outcome !== "unknown");
}

/** What the last answer says: its id, content and time. */
function lastOf({ asks }) {
  return asks.findLast(({ kind, outcome }) => kind !== "cancel" && outcome === "done");
}

/**
 * The scheduled messages that have left or were refused, each with its row, the tick at which it was there, and its time: of
 * several, of which one was not answered, the earliest.
 */
function leaving({ scheduled, messages, left }) {
  const rows = new Map(messages.map((row) => [textKey(row), row]));
  const ticks = new Map(left.map((one) => [textKey(one), one.tick]));
  return scheduled.flatMap((one) => {
    const text = textsOf(one).find((own) => ticks.has(textKey({ ...one, text: own })));
    const row = rows.get(textKey({ ...one, text }));
    if (text === undefined || row === undefined) return [];
    const { accountId, chatId, members } = one;
    const asks = one.asks.filter(({ kind, outcome }) => kind !== "cancel" && outcome !== "refused");
    const last = asks.at(-1);
    const dueAt = isCertain(one) ? last.dueAt : Math.min(...asks.map((ask) => ask.dueAt));
    return [
      {
        ...{ accountId, chatId, members, text, row, messageId: row.id, dueAt, isCertain: isCertain(one) },
        ...{
          waited: last.waited,
          begunAt: last.begunAt,
          answeredAt: last.answeredAt,
          tick: ticks.get(textKey({ ...one, text })),
        },
      },
    ];
  });
}

/** A time before which a message cannot have left: no process can have read its time, or it was not asked for yet. */
function possibleAt({ ticks }, { dueAt, begunAt }) {
  const reached = ticks.findIndex(({ latestMs }) => latestMs >= dueAt);
  return Math.max(begunAt, ticks[reached - 1]?.begunAt ?? 0);
}
