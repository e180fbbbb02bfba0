// Puts Stripe's own field into the page. Card details go from it to Stripe and never to this service.
(() => {
  const form = document.getElementById("stripe");
  const message = form.querySelector("[data-message]");
  const button = form.querySelector("button");
  let label = button.textContent;
  const session = new URLSearchParams(location.search).get("session") ?? "";

  function tell(text) {
    message.textContent = text;
    message.hidden = text === "";
  }

  async function ask(more = {}) {
    const body = new URLSearchParams({ session, ...more });
    const answer = await fetch(form.dataset.open, { method: "POST", body });
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
    return answer.json();
  }

  function setWorking(isWorking) {
    button.disabled = isWorking;
    button.textContent = isWorking ? button.dataset.working : label;
  }

  async function confirm(stripe, elements, field) {
    tell("");
    setWorking(true);
    await ask({ attempt: "1" });
    const options = { elements, confirmParams: { return_url: location.href }, redirect: "if_required" };
    const { error } = await (field.intent === "setup" ? stripe.confirmSetup(options) : stripe.confirmPayment(options));
    if (error) tell(error.message ?? "");
    else await window.lookAtCheckout();
    setWorking(false);
  }

  async function start() {
    const { field, label: exact } = await ask();
    if (field === null) return window.lookAtCheckout();
    // What a discount leaves to pay is known once the payment was opened.
    label = exact;
    button.textContent = label;
    const stripe = window.Stripe(field.publishableKey, { stripeAccount: field.merchantId });
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const elements = stripe.elements({
      clientSecret: field.clientSecret,
      locale: document.documentElement.lang,
      appearance: { theme: dark ? "night" : "stripe" },
    });
    const express = elements.create("expressCheckout");
    express.on("confirm", () => confirm(stripe, elements, field).catch(trouble));
    express.mount("#express");
    const payment = elements.create("payment");
    payment.on("ready", () => {
      form.querySelector("[data-loading]")?.remove();
      form.querySelector("#field").removeAttribute("aria-busy");
    });
    payment.mount("#field");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      confirm(stripe, elements, field).catch(trouble);
    });
  }

  function trouble() {
    tell(form.dataset.trouble);
    setWorking(false);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  // Nobody can have paid yet.
  start().catch(() => {
    form.querySelector("[data-loading]")?.remove();
    form.querySelector("#field").removeAttribute("aria-busy");
    button.disabled = true;
    tell(form.dataset.noField);
  });
})();
