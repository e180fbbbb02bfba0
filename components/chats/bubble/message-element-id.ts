/** The DOM id of a message's element. */
export function messageElementId(messageId: string): string {
  return `message-${messageId}`;
}
