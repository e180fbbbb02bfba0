import { askInstance } from "../ask-instance.mjs";
import { followStream } from "../follow-stream.mjs";
import { pickMessage } from "./people.mjs";
import { askedBy } from "./sends.mjs";

const LISTS = [
  "/v3/chats?limit=5",
  "/v3/payment_requests?limit=5",
  "/v3/webhook-subscriptions",
  "/v3/phone_numbers",
];
const MAX_PAGES = 3;

/** What a partner's program does besides sending. */
export const PROGRAM_STEPS = {
  "read a list": {
    weight: 8,
    draw: (random) => ({ lane: `list ${random.below(4)}`, list: random.pick(LISTS), via: random.below(2) }),
    perform: (world, step) => readPages(world, step, step.list),
  },
  "read messages": {
    weight: 6,
    draw: drawChat,
    perform: (world, step) => {
      const chatId = world.partners[step.partner].chats[step.person];
      return readPages(world, step, `/v3/chats/${chatId}/messages?limit=10`);
    },
  },
  "follow the event stream": {
    weight: 5,
    draw: (random) => ({ lane: "stream", via: random.below(2), ms: 200 + random.below(2000) }),
    perform: (world, step) => followStream(world, step),
  },
  "react as a line": {
    weight: 4,
    draw: drawChat,
    perform: async (world, step) => {
      const message = pickMessage(world, step);
      if (message === undefined) return;
      const operation = `POST /v3/messages/${message.messageId}/reactions`;
      await askInstance(world, { operation, body: { operation: "add", type: "like" }, ...askedBy(step) });
    },
  },
  "mark a chat as read": {
    weight: 3,
    draw: drawChat,
    perform: (world, step) => {
      const operation = `POST /v3/chats/${world.partners[step.partner].chats[step.person]}/read`;
      return askInstance(world, { operation, ...askedBy(step) });
    },
  },
  "replay webhooks": {
    weight: 2,
    draw: (random, partner) => ({
      lane: "replay",
      via: random.below(2),
      place: random.below(partner.receivers.length),
    }),
    perform: (world, step) => {
      const { id } = world.partners[step.partner].receivers[step.place];
      const operation = `POST /v3/webhook-subscriptions/${id}/replays`;
      const body = {
        filter: { statuses: ["delivered", "failed"], types: ["message.sent"] },
        per_second: 200,
      };
      return askInstance(world, { operation, body, ...askedBy(step) });
    },
  },
  // A program that uses the id of another partner.
  "ask for a foreign chat": {
    weight: 4,
    draw: (random, _partner, world) => ({
      lane: "foreign",
      via: random.below(2),
      foreign: random.below(world.partners.length),
      isWrite: random.chance(0.5),
    }),
    perform: async (world, step) => {
      if (step.foreign === step.partner) return;
      const path = `/v3/chats/${world.partners[step.foreign].chats[0]}`;
      const message = { parts: [{ type: "text", value: `foreign ${step.number}.` }] };
      const write = { operation: `POST ${path}/messages`, body: { message } };
      const asked = await askInstance(world, {
        ...(step.isWrite ? write : { operation: `GET ${path}` }),
        ...askedBy(step),
      });
      asked.isForeign = true;
    },
  },
};

function drawChat(random, partner) {
  const person = random.below(partner.people.length);
  return { lane: `reader ${person}`, person, place: random.below(1000), via: random.below(2) };
}

async function readPages(world, step, path) {
  let cursor = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const url = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await askInstance(world, { operation: `GET ${url}`, ...askedBy(step) });
    cursor = body?.next_cursor ?? null;
    if (cursor === null) return;
  }
}
