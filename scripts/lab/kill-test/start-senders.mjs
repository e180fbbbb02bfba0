import { setTimeout as sleep } from "node:timers/promises";
import { sendRequest } from "../../instance/call-instance.mjs";

const SENDERS = 8;
const BETWEEN_SENDS_MS = 15;
const WRITERS = 2;
const BETWEEN_TEXTS_MS = 60;
const AGAIN_MS = 50;
const RESPONSE_TIMEOUT_MS = 5000;

/**
 * Starts clients that send continuously and repeat each message until it is accepted, always with the same idempotency
 * key, as the documentation advises partners. Also starts phones that write each text once, whatever the response.
 */
export function startSenders({ baseUrl, token, line, chats, senders = SENDERS }) {
  const sends = [];
  const texts = [];
  let going = true;

  const post = (route, body) =>
    sendRequest({ baseUrl, token }, `POST ${route}`, body, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });

  async function sendUntilAccepted(send) {
    const message = { parts: [{ type: "text", value: send.key }], idempotency_key: send.key };
    for (;;) {
      send.tries++;
      const answer = await post(`/v3/chats/${send.chatId}/messages`, { message }).catch(() => null);
      if (answer?.status === 202) send.accepted.push(answer.body.message.id);
      send.status = answer?.status ?? null;
      if (answer !== null && answer.status < 500) return;
      await sleep(AGAIN_MS);
    }
  }

  async function runSender(sender) {
    for (let number = 0; going; number++) {
      const { id: chatId } = chats[(sender + number * senders) % chats.length];
      const send = { key: `send-${sender}-${number}`, chatId, tries: 0, accepted: [], status: null };
      sends.push(send);
      await sendUntilAccepted(send);
      // A client that missed the response repeats the request. The idempotency key must return the same message.
      if (number % 10 === 0) await sendUntilAccepted(send);
      await sleep(BETWEEN_SENDS_MS);
    }
  }

  async function runWriter(writer) {
    for (let number = 0; going; number++) {
      const { handle } = chats[(writer + number * WRITERS) % chats.length];
      const text = { text: `text-${writer}-${number}`, stored: false };
      texts.push(text);
      const answer = await post(`/simulator/phones/${handle}/messages`, { to: line, text: text.text }).catch(
        () => null,
      );
      text.stored = answer?.status === 201;
      await sleep(BETWEEN_TEXTS_MS);
    }
  }

  const running = [
    ...Array.from({ length: senders }, (_, sender) => runSender(sender)),
    ...Array.from({ length: WRITERS }, (_, writer) => runWriter(writer)),
  ];
  return {
    accepted: () => sends.filter((send) => send.accepted.length > 0).length,
    /** Lets each client finish its current request. Resolves with the clients' responses. */
    async finish() {
      going = false;
      await Promise.all(running);
      return { sends, texts };
    },
  };
}
