import "server-only";

/** Rolls back a chat that was opened for a repeated send, whose original can be in another chat. */
export class RepeatedSend extends Error {
  constructor(readonly messageId: string) {
    super("the idempotency key was already used");
  }
}
