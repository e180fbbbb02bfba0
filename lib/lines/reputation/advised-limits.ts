/** Recommended maximum of messages per line and day, inbound and outbound (docs/contract.md, section 3.3). */
export const DAILY_MESSAGES_ADVISED = 7000;
/** Recommended maximum of new chats per line and day. */
export const NEW_CHATS_ADVISED = 50;
