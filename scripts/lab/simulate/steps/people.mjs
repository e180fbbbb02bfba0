import { askInstance } from "../ask-instance.mjs";
import { askedBy } from "./sends.mjs";

const TAPBACKS = ["love", "like", "laugh", "emphasize"];

/** What people do on their phones. A phone's report reaches the line once, whatever the answer. */
export const PEOPLE_STEPS = {
  write: {
    weight: 20,
    draw: drawPerson,
    perform: (world, step) => write(world, step, `text ${step.partner}-${step.number}.`),
  },
  stop: {
    weight: 5,
    draw: drawPerson,
    perform: async (world, step) => {
      // What an SMS center delivers has no time at which it is stored.
      if (world.partners[step.partner].smsc === undefined) await write(world, step, "STOP");
    },
  },
  start: {
    weight: 5,
    draw: drawPerson,
    perform: (world, step) => write(world, step, `START ${step.partner}-${step.number}.`),
  },
  "react to a message": {
    weight: 6,
    draw: (random, partner) => ({
      ...drawPerson(random, partner),
      place: random.below(1000),
      reaction: random.pick(TAPBACKS),
    }),
    perform: async (world, step) => {
      const message = pickMessage(world, step);
      if (message === undefined) return;
      const body = { message_id: message.messageId, type: step.reaction };
      await onPhone(world, step, "reactions", body);
    },
  },
  "read a chat": {
    weight: 6,
    draw: drawPerson,
    perform: (world, step) =>
      onPhone(world, step, "read", { chat_id: world.partners[step.partner].chats[step.person] }),
  },
};

function drawPerson(random, partner) {
  const person = random.below(partner.people.length);
  return { lane: `person ${person}`, person, via: random.below(2) };
}

/** One of the messages that were accepted for a person; undefined while there is none. */
export function pickMessage(world, { partner, person, place }) {
  const accepted = world.history.sends.filter(
    (send) => send.step.partner === partner && send.step.person === person && send.outcome === "accepted",
  );
  return accepted[place % Math.max(1, accepted.length)];
}

async function write(world, step, text) {
  const { accountId, line, people, smsc } = world.partners[step.partner];
  const { handle } = people[step.person];
  const written = { step, accountId, handle, text, outcome: null, begunAt: performance.now() };
  world.history.texts.push(written);
  if (smsc !== undefined) {
    smsc.write({ source_addr: handle.slice(1), destination_addr: line.slice(1), short_message: text });
    Object.assign(written, { outcome: "accepted", answeredAt: performance.now() });
    return;
  }
  const asked = await onPhone(world, step, "messages", { to: line, text });
  const failed = asked.mayHaveHappened ? "unknown" : "rejected";
  Object.assign(written, {
    outcome: asked.status === 201 ? "accepted" : failed,
    messageId: asked.body?.message_id ?? null,
    answeredAt: asked.answeredAt,
  });
}

async function onPhone(world, step, action, body) {
  const { people, smsc } = world.partners[step.partner];
  if (smsc !== undefined) return;
  const operation = `POST /simulator/phones/${people[step.person].handle}/${action}`;
  return askInstance(world, { operation, body, ...askedBy(step) });
}
