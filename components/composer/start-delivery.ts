import { moveEarlier } from "@/components/composer/move-earlier";
import {
  deliverUnsent,
  isNeeded,
  nextReleaseMs,
  releaseHeld,
  sendBeforeLeaving,
} from "@/components/composer/outbox";
import {
  dropTaken,
  leaveOthers,
  listUnsent,
  onUnsentChange,
  takeOverEnded,
  takeOverLeft,
} from "@/components/composer/page-messages";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { toast } from "@/components/data/toast";
import { currentConnection, onConnectionChange } from "@/lib/client/connection";

const AGAIN_MS = 5000;
const TAKE_OVER_MS = 30_000;

/** Whose messages are sent; null while the user may not send. */
let sender: string | null = null;
let open: (path: string) => void = () => {};
let isStarted = false;
let deliveryTimer: ReturnType<typeof setInterval> | undefined;
let releaseTimer: ReturnType<typeof setTimeout> | undefined;
/** The keys of the messages whose refusal was seen, or reported. */
let reported = new Set<string>();

/**
 * Sends the sender's messages that wait, as long as the page is open, also on pages without the dashboard's frame: at once
 * when the connection is back, and every few seconds while the server does not answer. Those that are held are sent when
 * their hold is over, or when the user leaves the tab. The browser asks before the tab is closed with a message that was
 * not accepted. A refusal of a message whose chat is not shown is reported, with a link (`openPage`).
 */
export function startDelivery(as: string | null, openPage: (path: string) => void): void {
  open = openPage;
  sender = as;
  if (!isStarted) {
    isStarted = true;
    onUnsentChange(onChange);
    onConnectionChange(deliver);
    listen();
    setInterval(takeOver, TAKE_OVER_MS);
    moveEarlier();
  }
  leaveOthers(sender);
  takeOver();
  onChange();
}

function takeOver(): void {
  takeOverLeft(sender);
  // The sender may be another one by then.
  void takeOverEnded(sender)?.then(() => leaveOthers(sender));
}

function deliver(): void {
  if (sender !== null && currentConnection() !== "offline") void deliverUnsent(sender);
}

function waitForRelease(): void {
  clearTimeout(releaseTimer);
  const leftMs = sender === null ? null : nextReleaseMs(sender);
  if (leftMs !== null) releaseTimer = setTimeout(release, leftMs);
}

function release(): void {
  if (sender !== null) void releaseHeld(sender, "over");
  waitForRelease();
}

function onChange(): void {
  waitForRelease();
  reportRefused();
  const isWaiting = listUnsent().some(
    (each) => each.sender === sender && (each.state === "waiting" || each.state === "sending"),
  );
  if (!isWaiting) {
    clearInterval(deliveryTimer);
    deliveryTimer = undefined;
  } else if (deliveryTimer === undefined) {
    deliveryTimer = setInterval(deliver, AGAIN_MS);
    deliver();
  }
}

/** Reports refused messages whose writer is elsewhere, until they are sent again or removed. */
function reportRefused(): void {
  const refused = listUnsent().filter((each) => each.sender === sender && each.state === "refused");
  const isNew = ({ key, chatId }: UnsentMessage) =>
    !reported.has(key) && location.pathname !== pathOf(chatId);
  for (const { key, chatId, draft, refusal } of refused.filter(isNew)) {
    toast.error(draft.text === "" ? "A message was not sent" : `Not sent: “${draft.text.slice(0, 60)}”`, {
      id: key,
      description: refusal?.message,
      action: { label: "Open chat", onClick: () => open(pathOf(chatId)) },
      duration: Number.POSITIVE_INFINITY,
      closeButton: true,
    });
  }
  const keys = new Set(refused.map(({ key }) => key));
  for (const key of reported) if (!keys.has(key)) toast.dismiss(key);
  reported = keys;
}

const pathOf = (chatId: string) => `/chats/${chatId}`;

/** A tab in the background may be frozen or ended at any time, above all on a phone. */
function listen(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") takeOver();
    else sendBeforeLeaving(sender, false);
  });
  window.addEventListener("pagehide", () => sendBeforeLeaving(sender, true));
  window.addEventListener("pageshow", ({ persisted }) => persisted && takeOver());
  window.addEventListener("storage", dropTaken);
  window.addEventListener("beforeunload", (event) => {
    if (isNeeded(sender)) event.preventDefault();
  });
}
