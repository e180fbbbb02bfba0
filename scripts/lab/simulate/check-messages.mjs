/** The failure of a message whose network did not answer: it may have arrived. */
const UNKNOWN_OUTCOME = 4006;

export const MESSAGE_INVARIANTS = [
  {
    name: "accepted once",
    sentence: "A send that was accepted is one message in its chat. A send that was not is none.",
    isAnytime: true,
    check: ({ sends, messages }) => {
      const byText = Map.groupBy(
        messages.filter(({ isFromMe }) => isFromMe),
        textKey,
      );
      return [...Map.groupBy(sends, textKey)].flatMap(([key, tries]) => {
        const rows = byText.get(key) ?? [];
        return tries.filter((send) => !isStoredRight(send, rows, tries));
      });
    },
  },
  {
    name: "nothing invented",
    sentence: "Every message of a line is one that its program asked for.",
    isAnytime: true,
    check: ({ askedTexts, messages }) => {
      const asked = new Set(askedTexts.map(textKey));
      return ownMessages({ messages }).filter((message) => !asked.has(textKey(message)));
    },
  },
  {
    name: "never twice",
    sentence: "No message is on a phone more than once.",
    isAnytime: true,
    check: (record) =>
      [...Map.groupBy(copiesOf(record), (copy) => `${textKey(copy)} ${copy.handle}`).values()]
        .filter((copies) => copies.length > 1)
        .map(([copy]) => copy),
  },
  {
    name: "delivered or failed",
    sentence: "Every accepted message is on the phone of each recipient, or has failed with a reason.",
    isAnytime: false,
    check: (record) => {
      const phones = Map.groupBy(copiesOf(record), textKey);
      const members = membersOf(record);
      return ownMessages(record).filter((message) => {
        if (message.status === "failed") return message.failureCode === null;
        const handles = (phones.get(textKey(message)) ?? []).map(({ handle }) => handle);
        const isEverywhere = (members.get(textKey(message)) ?? []).every((member) =>
          handles.includes(member),
        );
        return !["sent", "delivered", "read"].includes(message.status) || !isEverywhere;
      });
    },
  },
  {
    name: "on the right phone",
    sentence: "A message is on no phone but those of its recipients.",
    isAnytime: true,
    check: (record) => {
      const members = membersOf(record);
      return copiesOf(record).filter((copy) => members.get(textKey(copy))?.includes(copy.handle) === false);
    },
  },
  {
    name: "failed is not delivered",
    sentence: "A failed message is on no phone, unless its network did not answer (4006).",
    isAnytime: false,
    check: (record) => {
      const arrived = new Set(copiesOf(record).map(textKey));
      return ownMessages(record).filter(
        (message) =>
          message.status === "failed" &&
          message.failureCode !== UNKNOWN_OUTCOME &&
          arrived.has(textKey(message)),
      );
    },
  },
  {
    name: "order in a chat",
    sentence: "Messages that a program sent one after the other reach the phone in this order.",
    isAnytime: true,
    check: (record) => {
      const places = sentPlaces(record);
      const accepted = record.sends
        .filter((send) => send.outcome === "accepted" && places.has(placeKey(record, send)))
        .sort((a, b) => a.begunAt - b.begunAt);
      const firsts = [...Map.groupBy(accepted, ({ messageId }) => messageId).values()].map(
        ([first]) => first,
      );
      return [...Map.groupBy(firsts, ({ accountId, chatId }) => `${accountId} ${chatId}`).values()].flatMap(
        (sends) => outOfOrder(sends, (send) => places.get(placeKey(record, send))),
      );
    },
  },
  {
    name: "people are heard once",
    sentence: "What a person writes is stored once.",
    isAnytime: false,
    check: ({ texts, messages, smppAccount }) => {
      const inbound = Map.groupBy(
        messages.filter(({ isFromMe }) => !isFromMe),
        textKey,
      );
      return texts
        .filter(({ text }) => text !== "STOP")
        .filter((text) => {
          const count = inbound.get(textKey(text))?.length ?? 0;
          // An SMS center repeats what a killed process has stored and not acknowledged.
          if (text.accountId === smppAccount) return count === 0;
          return text.outcome === "accepted" ? count !== 1 : count > 1;
        });
    },
  },
  {
    name: "nothing after STOP",
    sentence: "Once a STOP was stored, no send to the person is accepted until the person writes again.",
    isAnytime: true,
    check: ({ sends, texts }) => {
      const byPerson = Map.groupBy(texts, personKey);
      const firsts = [...Map.groupBy(sends, textKey).values()].map((tries) => tries.toSorted(byBegin)[0]);
      return firsts
        .filter(({ members }) => members.length === 1)
        .filter((send) =>
          isOptedOut(byPerson.get(personKey({ ...send, handle: send.members[0] })) ?? [], send),
        )
        .filter(({ outcome }) => outcome === "accepted");
    },
  },
];

/** Whether the rows with the text of a send are what its answer says. */
function isStoredRight(send, rows, tries) {
  if (rows.length > 1) return false;
  const [row] = rows;
  if (send.outcome === "accepted") return row?.id === send.messageId && row.chatId === send.chatId;
  const mayExist = tries.some(({ outcome }) => outcome !== "rejected");
  return row === undefined || mayExist;
}

/** The recipients of each text, sent at once or later. */
function membersOf({ sends, scheduled }) {
  const later = scheduled.flatMap(({ asks, ...one }) => asks.map(({ text }) => ({ ...one, text })));
  return new Map([...sends, ...later].map((send) => [textKey(send), send.members]));
}

/** Whether the last thing that a person wrote before a send was stored is STOP, with nothing else written since. */
export function isOptedOut(texts, send) {
  const relevant = texts.filter(({ begunAt }) => begunAt < send.answeredAt).sort(byBegin);
  const last = relevant.at(-1);
  return last?.text === "STOP" && last.outcome === "accepted" && last.answeredAt < send.begunAt;
}

/** Every copy of a message of a line on a phone, simulated or of the SMS center. */
function copiesOf({ copies, vendorMessages, smppAccount, messages }) {
  const own = new Set(ownMessages({ messages }).map(textKey));
  const all = [...copies, ...vendorMessages.map((copy) => ({ ...copy, accountId: smppAccount }))];
  return all.filter((copy) => own.has(textKey(copy)));
}

function ownMessages({ messages }) {
  return messages.filter(({ isFromMe, text }) => isFromMe && /^(send|later) /.test(text ?? ""));
}

/** The order in which messages were handed over: the SMS center's, and that of `message.sent` for simulated phones. */
export function sentPlaces({ events, vendorMessages }) {
  const keys = [
    ...events.filter(({ type }) => type === "message.sent").map(({ messageId }) => messageId),
    ...vendorMessages.map(({ text }) => text),
  ];
  return new Map(keys.map((key, place) => [key, place]));
}

export function placeKey({ smppAccount }, { accountId, text, messageId }) {
  return accountId === smppAccount ? text : messageId;
}

/** The sends whose answer came before the next began, but which arrived after it. */
function outOfOrder(sends, placeOf) {
  return sends.slice(1).flatMap((send, index) => {
    const before = sends[index];
    const isAfter = before.answeredAt <= send.begunAt;
    return isAfter && placeOf(send) < placeOf(before) ? [{ before: before.text, after: send.text }] : [];
  });
}

export function textKey({ accountId, text }) {
  return `${accountId} ${text}`;
}

export function personKey({ accountId, handle }) {
  return `${accountId} ${handle}`;
}

function byBegin(a, b) {
  return a.begunAt - b.begunAt;
}
