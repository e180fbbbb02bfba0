import { setTimeout as sleep } from "node:timers/promises";
import { callInstance } from "../../instance/call-instance.mjs";
import { drawWeighted } from "./draw-weighted.mjs";

/**
 * The faults of a history by name: `draw` chooses what is affected and for how long, `perform` begins the fault and ends
 * it. Faults of one `lane` follow each other.
 */
export const FAULTS = {
  "kill a web process": { weight: 3, draw: drawWeb, perform: (world, step) => replace(world, step, "kill") },
  "kill a worker": { weight: 4, draw: drawWorker, perform: (world, step) => replace(world, step, "kill") },
  "restart a web process": {
    weight: 1,
    draw: drawWeb,
    perform: (world, step) => replace(world, step, "stop"),
  },
  "restart a worker": { weight: 2, draw: drawWorker, perform: (world, step) => replace(world, step, "stop") },
  "freeze a process": {
    weight: 4,
    draw: (random, world) => ({ ...drawAny(random, world), ms: 500 + random.below(12_000) }),
    perform: async (world, step) => {
      const { pid } = world.processes.at(step);
      process.kill(pid, "SIGSTOP");
      await sleep(step.ms);
      process.kill(pid, "SIGCONT");
    },
  },
  "cut the connections to PostgreSQL": {
    weight: 3,
    draw: drawAny,
    perform: async (world, step) => world.processes.proxyOf(step).cut(),
  },
  "refuse connections to PostgreSQL": {
    weight: 3,
    draw: (random, world) => ({ ...drawAny(random, world), ms: 500 + random.below(6000) }),
    perform: (world, step) => refuse(world.processes.proxyOf(step), step),
  },
  "delay the answers of PostgreSQL": {
    weight: 3,
    draw: (random, world) => ({ ...drawAny(random, world), ms: 200 + random.below(3000) }),
    perform: (world, step) => hold(world.processes.proxyOf(step), step),
  },
  "lose the open connections to PostgreSQL": {
    weight: 1,
    draw: drawAny,
    perform: async (world, step) => world.processes.proxyOf(step).silenceOpen(),
  },
  "cut the connection to the SMS center": {
    weight: 3,
    draw: drawVendor,
    perform: async (world) => world.vendorProxy.cut(),
  },
  "refuse connections to the SMS center": {
    weight: 2,
    draw: drawVendor,
    perform: (world, step) => refuse(world.vendorProxy, step),
  },
  "delay the answers of the SMS center": {
    weight: 2,
    draw: drawVendor,
    perform: (world, step) => hold(world.vendorProxy, step),
  },
  "disturb a receiver": {
    weight: 4,
    draw: (random, world) => {
      const partner = random.below(world.partners.length);
      const place = random.below(world.partners[partner].receivers.length);
      const fault = random.pick(["fails", "drops", "hangs"]);
      return {
        lane: `receiver ${partner} ${place}`,
        of: partner,
        place,
        receiverFault: fault,
        ms: 500 + random.below(8000),
      };
    },
    perform: async (world, { of: partner, place, receiverFault, ms }) => {
      const { state } = world.partners[partner].receivers[place];
      state.fault = receiverFault;
      await sleep(ms);
      state.fault = null;
    },
  },
  "take a phone offline": {
    weight: 3,
    draw: (random, world) => {
      const partner = random.below(world.partners.length);
      const person = random.below(world.partners[partner].people.length);
      return { lane: `phone ${partner} ${person}`, of: partner, person, ms: 500 + random.below(6000) };
    },
    perform: async (world, step) => {
      await connectPhone(world, step, "airplane_mode");
      await sleep(step.ms);
      await connectPhone(world, step, "online");
    },
  },
  "advance the clock": {
    weight: 2,
    draw: (random) => ({ lane: "clock", seconds: 5 + random.below(900) }),
    perform: (world, { seconds }) => onInstance(world, "POST /simulator/clock", { advance: seconds }),
  },
  "set the clock back": {
    weight: 1,
    draw: () => ({ lane: "clock" }),
    perform: (world) => onInstance(world, "POST /simulator/clock", { reset: true }),
  },
};

/** Draws a fault: its type, its lane and its parameters. */
export function drawFault(random, world) {
  const fault = drawWeighted(random, FAULTS);
  return { type: "fault", fault, ...FAULTS[fault].draw(random, world) };
}

function drawWeb(random, world) {
  return drawProcess(random, "web", world.webs);
}

function drawWorker(random, world) {
  return drawProcess(random, "worker", world.workers);
}

function drawAny(random, world) {
  return random.chance(0.5) ? drawWeb(random, world) : drawWorker(random, world);
}

function drawProcess(random, role, count) {
  const place = random.below(count);
  return { lane: `${role} ${place}`, role, place, downMs: random.below(1500) };
}

function drawVendor(random) {
  return { lane: "SMS center", ms: 500 + random.below(4000) };
}

function replace({ processes }, step, end) {
  return processes.replace(step, (running) => running[end]());
}

async function refuse(proxy, { ms }) {
  proxy.setMode("refuse");
  proxy.cut();
  await sleep(ms);
  proxy.setMode("forward");
}

/** Nothing is lost: what the target sends meanwhile arrives afterwards. */
async function hold(proxy, { ms }) {
  proxy.setMode("hold");
  await sleep(ms);
  proxy.setMode("forward");
}

async function connectPhone(world, { of: partner, person }, connection) {
  const { people, smsc, token } = world.partners[partner];
  if (smsc !== undefined) return;
  await onInstance(world, "POST /simulator/phones", { handle: people[person].handle, connection }, token);
}

/** Asks until a web process answers. These requests are no part of what is checked. */
export async function onInstance({ webs, partners }, operation, body, token = partners[0].token) {
  for (let turn = 0; turn < 600; turn++) {
    const { baseUrl } = webs[turn % webs.length];
    const isDone = await callInstance({ baseUrl, token }, operation, body).then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(100);
  }
  throw new Error(`${operation} got no answer within a minute`);
}
