import "server-only";

/** Rolls back a chat that was opened for a send which had been made before, maybe in another chat. */
export class RepeatedSend extends Error {
  constructor(readonly messageId: string) {
    super("the idempotency key was already used");
  }
}
