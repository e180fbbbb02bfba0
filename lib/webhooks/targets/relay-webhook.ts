import "server-only";
import { randomUUID } from "node:crypto";
import { isOwnUrl } from "@/lib/platform/env";
import { broadcastToInstances, onInstanceMessage } from "@/lib/platform/instances/instance-messages";

/** Time that the instance with the connection has to acknowledge a webhook. */
const RESPONSE_TIMEOUT_MS = 3000;
const RELAY_PATH = /^\/relay\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/;

/** A webhook for a program without a public address. */
export interface RelayedWebhook {
  /** The account of the event. Connections of other accounts do not receive it. */
  accountId: string;
  connectionId: string;
  body: string;
}

interface RelayRequest {
  accountId: string;
  askId: string;
  /** null asks only whether the connection exists. */
  body: string | null;
}

/** The connection id in a target URL of this instance's relay; null for every other URL. */
export function relayConnectionOf(target: URL): string | null {
  return isOwnUrl(target) ? (RELAY_PATH.exec(target.pathname)?.[1] ?? null) : null;
}

/**
 * Forwards a webhook to a relay connection on any instance. Resolves to true when that instance has written the webhook
 * to the connection, and to false after at most `answerMs` when no instance has such a connection of the account.
 */
export function relayWebhook(webhook: RelayedWebhook, answerMs = RESPONSE_TIMEOUT_MS): Promise<boolean> {
  return ask(webhook, answerMs);
}

/** Whether an instance has a relay connection of the account. */
export function hasRelay(of: Pick<RelayedWebhook, "accountId" | "connectionId">): Promise<boolean> {
  return ask({ ...of, body: null }, RESPONSE_TIMEOUT_MS);
}

async function ask(
  { accountId, connectionId, body }: Omit<RelayedWebhook, "body"> & { body: string | null },
  answerMs: number,
): Promise<boolean> {
  const asked: RelayRequest = { accountId, askId: randomUUID(), body };
  let stop = () => {};
  let timer: NodeJS.Timeout | undefined;
  const answered = new Promise<boolean>((resolve) => {
    stop = onInstanceMessage(`relayed:${asked.askId}`, () => resolve(true));
    timer = setTimeout(() => resolve(false), Math.min(answerMs, RESPONSE_TIMEOUT_MS));
  });
  try {
    await broadcastToInstances(`relay:${connectionId}`, JSON.stringify(asked));
    return await answered;
  } finally {
    stop();
    clearTimeout(timer);
  }
}

/**
 * Calls `pass` with each webhook for a connection on this instance. `pass` resolves when the webhook is written.
 * Webhooks of other accounts are not acknowledged. Returns a function that unregisters the connection.
 */
export function registerRelay(
  { accountId, connectionId }: Pick<RelayedWebhook, "accountId" | "connectionId">,
  pass: (body: string) => Promise<void>,
): () => void {
  return onInstanceMessage(`relay:${connectionId}`, (text) => {
    const asked: RelayRequest = JSON.parse(text);
    if (asked.accountId !== accountId) return;
    const passing = asked.body === null ? Promise.resolve() : pass(asked.body);
    // Without an acknowledgment the delivery is retried.
    passing.then(() => broadcastToInstances(`relayed:${asked.askId}`, "")).catch(() => undefined);
  });
}
