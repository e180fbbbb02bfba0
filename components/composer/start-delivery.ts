import { deliverUnsent, listUnsent, onUnsentChange } from "@/components/composer/outbox";
import { currentConnection, onConnectionChange } from "@/lib/client/connection";

const AGAIN_MS = 5000;

/**
 * Sends the sender's messages that wait, on every page: at once when the connection is back, and every few seconds while
 * the server does not answer. The browser asks before the tab is closed, which would lose them. Returns a function that
 * ends this.
 */
export function startDelivery(sender: string): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;

  function deliver(): void {
    if (currentConnection() !== "offline") void deliverUnsent(sender);
  }

  function onChange(): void {
    const isNeeded = listUnsent().some(
      (each) => each.sender === sender && (each.state === "waiting" || each.state === "sending"),
    );
    if (!isNeeded) {
      clearInterval(timer);
      timer = undefined;
    } else if (timer === undefined) {
      timer = setInterval(deliver, AGAIN_MS);
      deliver();
    }
  }

  const endings = [onUnsentChange(onChange), onConnectionChange(deliver), askBeforeLoss()];
  onChange();
  return () => {
    clearInterval(timer);
    for (const end of endings) end();
  };
}

function askBeforeLoss(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (listUnsent().some(({ state }) => state !== "accepted")) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
