import {
  canLeave,
  deliverUnsent,
  listUnsent,
  nextReleaseMs,
  onUnsentChange,
  releaseHeld,
  sendBeforeLeaving,
} from "@/components/composer/outbox";
import { currentConnection, onConnectionChange } from "@/lib/client/connection";

const AGAIN_MS = 5000;

/**
 * Sends the sender's messages that wait, on every page: at once when the connection is back, and every few seconds while
 * the server does not answer. Those that are held are sent when their hold is over, or when the user leaves the tab. The
 * browser asks before the tab is closed if that could lose one. Returns a function that ends this.
 */
export function startDelivery(sender: string): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let hold: ReturnType<typeof setTimeout> | undefined;

  function deliver(): void {
    if (currentConnection() !== "offline") void deliverUnsent(sender);
  }

  function waitForRelease(): void {
    clearTimeout(hold);
    const leftMs = nextReleaseMs(sender);
    if (leftMs !== null) hold = setTimeout(release, leftMs);
  }

  function release(): void {
    void releaseHeld(sender, "over");
    waitForRelease();
  }

  function onChange(): void {
    waitForRelease();
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

  const endings = [
    onUnsentChange(onChange),
    onConnectionChange(deliver),
    askBeforeLoss(),
    sendWhenLeaving(sender),
  ];
  onChange();
  return () => {
    clearInterval(timer);
    clearTimeout(hold);
    for (const end of endings) end();
  };
}

/** A tab in the background may be frozen or ended at any time, above all on a phone. */
function sendWhenLeaving(sender: string): () => void {
  const onHidden = () => document.visibilityState === "hidden" && sendBeforeLeaving(sender, false);
  const onClosed = () => sendBeforeLeaving(sender, true);
  document.addEventListener("visibilitychange", onHidden);
  window.addEventListener("pagehide", onClosed);
  return () => {
    document.removeEventListener("visibilitychange", onHidden);
    window.removeEventListener("pagehide", onClosed);
  };
}

function askBeforeLoss(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    const isKept = currentConnection() === "online" && canLeave();
    if (!isKept && listUnsent().some(({ state }) => state !== "accepted")) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
