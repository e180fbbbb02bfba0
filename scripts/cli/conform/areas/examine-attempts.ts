import {
  headerProblems,
  payloadProblems,
  type Subscription,
  signatureProblems,
} from "@/scripts/cli/conform/examine-webhook";
import type { Run } from "@/scripts/cli/conform/run";
import { textAt } from "@/scripts/cli/conform/value-at";
import type { Attempt, WebhookReceiver } from "@/scripts/cli/conform/webhook-receiver";

const POLL_MS = 50;

/** Resolves with the attempts that match as soon as there are `count`, or with fewer after the time limit. */
export async function arrived(
  run: Run,
  receiver: WebhookReceiver,
  matches: (attempt: Attempt) => boolean,
  { count = 1, limitMs = run.waitMs } = {},
): Promise<Attempt[]> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = receiver.attempts.filter(matches);
    if (found.length >= count || Date.now() > deadline) return found;
    await run.http.pause(POLL_MS);
  }
}

/** The attempts of one event of a message, for one subscription. */
export function matching({ path: own }: Subscription, type: string, id: string) {
  return ({ path, event }: Attempt) =>
    path.includes(own) && event.event_type === type && messageOf(event) === id;
}

export function messageOf({ data }: Attempt["event"]): string | undefined {
  return textAt(data, "id") ?? textAt(data, "message_id") ?? textAt(data, "message.id");
}

interface Examined {
  type: string;
  subscription: Subscription;
  attempts: readonly Attempt[];
  traceId?: string | null;
}

/** The checks of all attempts of one event for one subscription. */
export function examineAttempts(run: Run, { type, subscription, attempts, traceId }: Examined): void {
  const name = `${type} ${subscription.version}`;
  const area = "webhooks";
  const add = (
    what: string,
    section: string,
    expected: string,
    problems: readonly string[],
    notes: string[] = [],
  ) =>
    run.add(
      { area, section, name: `${name}: ${what}`, expected },
      { problems: [...new Set(problems)], notes },
    );
  add("arrives", "12.4", "one delivery", attempts.length === 0 ? ["nothing arrived in time"] : []);
  if (attempts.length === 0) return;
  const of = (look: (attempt: Attempt) => readonly string[]) => attempts.flatMap((attempt) => look(attempt));
  add(
    "signatures",
    "12.7",
    "two valid signatures",
    of((one) => signatureProblems(one, subscription)),
  );
  add(
    "headers",
    "12.7",
    "the documented headers",
    of((one) => headerProblems(one, subscription)),
  );
  const payloads = attempts.map((one) => payloadProblems(run.document, one, subscription));
  const notes = payloads.flatMap((one) => one.notes);
  add(
    "payload",
    "12.5",
    "the documented payload",
    payloads.flatMap(({ problems }) => problems),
    [...new Set(notes)],
  );
  if (traceId == null) return;
  const others = attempts
    .filter(({ event }) => event.trace_id !== traceId)
    .map(({ event }) => event.trace_id);
  add(
    "trace",
    "1.3",
    "the X-Trace-ID of the request",
    others.map((one) => `trace_id is ${one}, not ${traceId}`),
  );
}
