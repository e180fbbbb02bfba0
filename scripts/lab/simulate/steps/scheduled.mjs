import { setTimeout as sleep } from "node:timers/promises";
import { askInstance } from "../ask-instance.mjs";
import { platformNow } from "../watch-scheduled.mjs";
import { askedBy } from "./sends.mjs";

const SECOND_MS = 1000;
/** A message that is due later than this is canceled or moved at once, not when it is due. */
const WAIT_MS = 5000;
/** A program changes what is still to come, or has just become due. */
const JUST_MS = 1000;

/** What a partner's program sends later, moves and cancels. It changes a message once at a time. */
export const SCHEDULED_STEPS = {
  "schedule a send": {
    weight: 16,
    draw: (random, partner) => {
      const person = random.below(partner.people.length);
      return {
        ...{ lane: `scheduled ${person}`, person, via: random.below(2) },
        ...{ isKeyed: random.chance(0.7), opens: random.chance(0.3), inSeconds: drawSeconds(random) },
      };
    },
    perform: (world, step) => schedule(world, step),
  },
  "move a scheduled send": {
    weight: 9,
    draw: (random) => ({
      ...drawChange(random),
      inSeconds: drawSeconds(random),
      isRewritten: random.chance(0.4),
    }),
    perform: (world, step) => change(world, step, move),
  },
  "cancel a scheduled send": {
    weight: 9,
    draw: drawChange,
    perform: (world, step) => change(world, step, cancel),
  },
};

/** Some are due only when the clock is advanced. */
function drawSeconds(random) {
  return random.chance(0.3) ? 30 + random.below(600) : random.below(10);
}

/** `meetsDue`: the change happens at the moment at which the message is due. */
function drawChange(random) {
  return {
    ...{ lane: `change ${random.below(4)}`, place: random.below(1000), via: random.below(2) },
    ...{ meetsDue: random.chance(0.4), aroundMs: random.below(900) },
  };
}

async function schedule(world, step) {
  const { accountId, line, chats, people } = world.partners[step.partner];
  const { partner, person, number, isKeyed, opens } = step;
  const members = [people[person].handle];
  const scheduled = { step, partner, isBusy: false, accountId, chatId: chats[person], members, asks: [] };
  world.history.scheduled.push(scheduled);
  const text = textOf(step);
  const key = isKeyed ? `scheduled ${partner}-${number}` : null;
  const message = { ...contentOf(text), ...(key !== null && { idempotency_key: key }) };
  const body = { message, send_at: timeIn(world, step.inSeconds) };
  const request = opens
    ? { operation: "POST /v3/chats", body: { from: line, to: members, ...body } }
    : { operation: `POST /v3/chats/${chats[person]}/messages`, body };
  await ask(world, scheduled, {
    ...{ kind: "schedule", text, sendAt: body.send_at, request: { ...request, isRepeatable: isKeyed }, step },
    read: ({ body: answer }) => (opens ? answer.chat : answer).message,
  });
}

/** Changes one of the messages that wait, as far as the program knows. */
async function change(world, step, perform) {
  const waiting = world.history.scheduled.filter((one) => isWaiting(world, step, one));
  const scheduled = waiting[step.place % Math.max(1, waiting.length)];
  if (scheduled === undefined) return;
  scheduled.isBusy = true;
  const { messageId, dueAt } = scheduled.asks.findLast(isContent);
  const dueInMs = dueAt - platformNow(world);
  if (step.meetsDue && dueInMs > 0 && dueInMs < WAIT_MS)
    await sleep(Math.max(0, dueInMs - 100 + step.aroundMs));
  await perform(world, step, { scheduled, messageId });
  scheduled.isBusy = false;
}

/** A program that lost an answer does not know the id, or whether it still waits. */
function isWaiting(world, { partner }, scheduled) {
  const { asks, isBusy } = scheduled;
  if (scheduled.partner !== partner || isBusy) return false;
  if (asks[0].outcome !== "done" || asks.some(({ kind, outcome }) => isOver(kind, outcome))) return false;
  return asks.findLast(isContent).dueAt > platformNow(world) - JUST_MS;
}

function isOver(kind, outcome) {
  return outcome === "unknown" || (kind === "cancel" && outcome === "done");
}

function move(world, step, { scheduled, messageId }) {
  const sendAt = timeIn(world, step.inSeconds);
  const text = step.isRewritten ? textOf(step) : scheduled.asks.findLast(isContent).text;
  const body = { send_at: sendAt, ...(step.isRewritten && { message: contentOf(text) }) };
  // Once it is moved, its old id is unknown: a program that lost the answer has to look it up.
  const request = { operation: `PATCH /v3/scheduled_messages/${messageId}`, body, isRepeatable: false };
  return ask(world, scheduled, {
    kind: "move",
    text,
    sendAt,
    request,
    step,
    read: ({ body: answer }) => answer,
  });
}

function cancel(world, step, { scheduled, messageId }) {
  const request = { operation: `DELETE /v3/scheduled_messages/${messageId}`, isRepeatable: true };
  return ask(world, scheduled, { kind: "cancel", text: null, sendAt: null, request, step, read: () => null });
}

/**
 * Asks for something about a scheduled message, and notes the outcome: done, refused or unknown; `waited` = it was scheduled
 * by its answer, not sent at once.
 */
async function ask(world, scheduled, { kind, text, sendAt, request, step, read }) {
  const dueAt = sendAt && Date.parse(sendAt);
  const noted = { kind, text, dueAt, outcome: "unknown", waited: false, begunAt: performance.now() };
  scheduled.asks.push(noted);
  const asked = await askInstance(world, { ...request, ...askedBy(step) });
  const { begunAt, answeredAt, status } = asked;
  Object.assign(noted, { begunAt, answeredAt, status, code: asked.body?.error?.code ?? null });
  noted.outcome = outcomeOf(kind, asked);
  if (noted.outcome !== "done" || kind === "cancel") return;
  const { id, send_at } = read(asked);
  // A repeated send may answer with a message that has left since. It is not due before the time that was asked for.
  const isWaiting = send_at !== undefined;
  Object.assign(noted, { messageId: id, waited: isWaiting, dueAt: isWaiting ? Date.parse(send_at) : dueAt });
}

function outcomeOf(kind, { status, mayHaveHappened }) {
  const isFinal = status !== null && status < 500;
  if (!isFinal) return mayHaveHappened ? "unknown" : "refused";
  // The first try of a repeated cancellation has canceled it.
  const isRepeated = kind === "cancel" && status === 404 && mayHaveHappened;
  return status < 300 || isRepeated ? "done" : "refused";
}

function isContent({ kind, outcome }) {
  return kind !== "cancel" && outcome === "done";
}

function textOf({ partner, number }) {
  return `later ${partner}-${number}.`;
}

function contentOf(text) {
  return { parts: [{ type: "text", value: text }] };
}

/** A time from now by the clock that all programs of the world follow, in whole seconds. */
function timeIn(world, seconds) {
  const second = Math.floor(platformNow(world) / SECOND_MS) + seconds;
  return new Date(second * SECOND_MS).toISOString();
}
