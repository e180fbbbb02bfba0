/** Under which the browser keeps what it read of attachments. */
export const attachmentsKey = ["attachments"];
