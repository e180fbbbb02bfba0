/** The query of the messages that are scheduled in a chat. */
export function scheduledKey(chatId: string): readonly string[] {
  return ["scheduled-messages", chatId];
}
