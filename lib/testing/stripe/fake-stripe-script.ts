/**
 * Replaces Stripe's own script on a page: a field with a choice of test cards, and a second step in a frame of
 * Stripe's. Like the original, the script calls `api.stripe.com`; tests handle these requests.
 */
export const FAKE_STRIPE_SCRIPT = `
window.Stripe = (key, { stripeAccount }) => {
  async function ask(what, form) {
    const body = new URLSearchParams({ key, account: stripeAccount, ...form });
    const answer = await fetch("https://api.stripe.com/" + what, { method: "POST", body });
    return answer.json();
  }
  function field() {
    const choice = document.createElement("select");
    choice.setAttribute("aria-label", "Card");
    for (const card of ["succeeds", "declined", "needs_step", "processing"]) choice.append(new Option(card, card));
    return choice;
  }
  function takeStep() {
    const frame = document.createElement("iframe");
    frame.src = "https://hooks.stripe.com/challenge";
    frame.title = "Your bank";
    return new Promise((resolve) => {
      addEventListener("message", ({ origin, data }) => {
        if (origin !== "https://hooks.stripe.com") return;
        frame.remove();
        resolve(data);
      }, { once: true });
      document.body.append(frame);
    });
  }
  async function confirm({ elements }) {
    const card = document.querySelector("#field select").value;
    const first = await ask("confirm", { client_secret: elements.clientSecret, card });
    if (first.next !== "step") return first;
    const answer = await takeStep();
    if (answer !== "agreed") return { error: { message: "We are unable to authenticate your payment method." } };
    return ask("confirm", { client_secret: elements.clientSecret, card: "succeeds" });
  }
  const elements = ({ clientSecret }) => ({
    clientSecret,
    create(kind) {
      const listeners = {};
      return {
        on(name, listener) { listeners[name] = listener; },
        mount(place) {
          if (kind !== "payment") return;
          document.querySelector(place).append(field());
          listeners.ready?.();
        },
      };
    },
  });
  return { elements, confirmPayment: confirm, confirmSetup: confirm };
};
`;

/** The page of the payer's bank. */
export const FAKE_CHALLENGE = `<!doctype html><title>Bank</title>
<button onclick="parent.postMessage('agreed', '*')">It is me</button>
<button onclick="parent.postMessage('refused', '*')">It is not</button>`;
