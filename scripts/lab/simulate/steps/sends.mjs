import { askInstance } from "../ask-instance.mjs";

/** What a partner's program sends to people. Each text occurs once, so that it identifies its message everywhere. */
export const SEND_STEPS = {
  send: {
    weight: 40,
    draw: (random, partner) => {
      const person = random.below(partner.people.length);
      const isKeyed = random.chance(0.7);
      return { lane: `chat ${person}`, person, isKeyed, opens: random.chance(0.3), via: random.below(2) };
    },
    perform: (world, step) => send(world, step),
  },
  "send to a group": {
    weight: 8,
    draw: (random, partner) => {
      const group = random.below(Math.max(1, partner.groups.length));
      return {
        lane: `group ${group}`,
        group,
        isKeyed: random.chance(0.7),
        opens: false,
        via: random.below(2),
      };
    },
    perform: async (world, step) => {
      if (world.partners[step.partner].groups.length > 0) await send(world, step);
    },
  },
  // A client that lost the answer sends the same again.
  "repeat a send": {
    weight: 10,
    draw: (random, partner) => {
      const person = random.below(partner.people.length);
      return { lane: `chat ${person}`, person, place: random.below(1000), via: random.below(2) };
    },
    perform: async (world, step) => {
      const earlier = world.history.sends.filter(
        ({ step: { partner, person }, key }) =>
          partner === step.partner && person === step.person && key !== null,
      );
      const original = earlier[step.place % Math.max(1, earlier.length)];
      if (original !== undefined) await send(world, { ...original.step, via: step.via });
    },
  },
};

async function send(world, step) {
  const { accountId, line } = world.partners[step.partner];
  const { chatId, members } = chatOf(world, step);
  const text = `send ${step.partner}-${step.number}.`;
  const key = step.isKeyed ? `key ${step.partner}-${step.number}` : null;
  const message = { parts: [{ type: "text", value: text }], ...(key !== null && { idempotency_key: key }) };
  const sent = { step, accountId, chatId, members, text, key, messageId: null, outcome: null };
  world.history.sends.push(sent);
  const request = step.opens
    ? { operation: "POST /v3/chats", body: { from: line, to: members, message } }
    : { operation: `POST /v3/chats/${chatId}/messages`, body: { message } };
  const asked = await askInstance(world, { ...request, ...askedBy(step), isRepeatable: key !== null });
  Object.assign(sent, { begunAt: asked.begunAt, answeredAt: asked.answeredAt, status: asked.status });
  if (asked.status === 201 || asked.status === 202) {
    const { message: accepted } = step.opens ? asked.body.chat : asked.body;
    Object.assign(sent, { outcome: "accepted", messageId: accepted.id });
  } else {
    Object.assign(sent, {
      outcome: asked.mayHaveHappened ? "unknown" : "rejected",
      code: asked.body?.error?.code ?? null,
    });
  }
}

function chatOf(world, { partner, person, group }) {
  const { chats, groups, people } = world.partners[partner];
  if (group === undefined) return { chatId: chats[person], members: [people[person].handle] };
  const { id, members } = groups[group];
  return { chatId: id, members };
}

/** What a request says of the step that it belongs to. */
export function askedBy({ partner, number, via }) {
  return { partner, via, step: number };
}
