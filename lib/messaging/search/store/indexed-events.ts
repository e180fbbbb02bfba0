/** The types of events after which a message has new or other words. Each message has one of them from its beginning. */
export const INDEXED_EVENTS = [
  "message.accepted",
  "message.received",
  "message.edited",
  "message.file_settled",
  "poll.received",
  "poll.updated",
];
