import "server-only";
import type { Sink } from "@/lib/adapters/transports/transport";
import { setLineUp } from "@/lib/lines/set-line-up";
import { applyReceipt } from "@/lib/messages/apply-receipt";
import { receiveMessage } from "@/lib/messages/receive-message";

/** Where every transport's reports come in. Resolves once the event and all that follows from it are stored. */
export const receiveEvent: Sink = async (line, event) => {
  switch (event.on) {
    case "message":
      await receiveMessage(line, event);
      return;
    case "line":
      return setLineUp(line.accountId, line.id, event.up);
    default:
      return applyReceipt(line, event);
  }
};
