import { askInstance } from "../ask-instance.mjs";
import { askedBy } from "./sends.mjs";

/** Payment requests, and the people who pay them. */
export const PAYMENT_STEPS = {
  "request a payment": {
    weight: 7,
    draw: (random) => ({
      lane: `requests ${random.below(3)}`,
      amount: 50 + random.below(5000),
      via: random.below(2),
    }),
    perform: async (world, step) => {
      const { accountId } = world.partners[step.partner];
      const asked = await askInstance(world, {
        operation: "POST /v3/payment_requests",
        body: { amount: step.amount, currency: "usd" },
        headers: { "idempotency-key": `payment ${step.partner}-${step.number}` },
        ...askedBy(step),
        isRepeatable: true,
      });
      if (asked.status !== 201) return;
      const { id, checkout_url: url } = asked.body;
      world.history.payments.push({ accountId, partner: step.partner, id, url, amount: step.amount });
    },
  },
  "cancel a payment": {
    weight: 4,
    draw: drawPayment,
    perform: async (world, step) => {
      const payment = pickPayment(world, step);
      if (payment === undefined) return;
      await askInstance(world, {
        ...{
          operation: `POST /v3/payment_requests/${payment.id}/cancel`,
          ...askedBy(step),
          isRepeatable: true,
        },
      });
    },
  },
  pay: {
    weight: 6,
    draw: drawPayment,
    perform: async (world, step) => {
      const payment = pickPayment(world, step);
      if (payment !== undefined) await pay(world, step, payment);
    },
  },
};

function drawPayment(random) {
  return { lane: `payer ${random.below(3)}`, place: random.below(1000), via: random.below(2) };
}

function pickPayment(world, { partner, place }) {
  const own = world.history.payments.filter((payment) => payment.partner === partner);
  // The newest are the ones that have not ended yet.
  return own.at(-1 - (place % Math.max(1, Math.min(4, own.length))));
}

async function pay(world, { via }, { url }) {
  const page = new URL(url);
  const form = new URLSearchParams({ session: page.searchParams.get("session"), card: "succeeds" });
  const { baseUrl } = world.webs[via % world.webs.length];
  const signal = AbortSignal.timeout(15_000);
  await fetch(`${baseUrl}${page.pathname}/attempt`, {
    method: "POST",
    body: form,
    redirect: "manual",
    signal,
  }).catch(() => undefined);
}
