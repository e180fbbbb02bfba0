// The hosted checkout's own script: the countdown, and a look whether the page is still true. The page works without it.
(() => {
  const { state, expires, now: servedAt } = document.body.dataset;
  // A payer's clock may be wrong: the time left is the service's.
  const aheadMs = Number(servedAt) - Date.now();
  const POLL_MS = 3000;
  const language = document.documentElement.lang;
  const session = new URLSearchParams(location.search).get("session") ??
    document.querySelector("input[name=session]")?.value ?? "";
  const [, , slug] = location.pathname.split("/");

  const label = document.querySelector("[data-countdown]");
  const timer = document.querySelector("[role=timer]");
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  const two = (value) => String(value).padStart(2, "0");

  function showTimeLeft() {
    const seconds = Math.max(0, Math.floor((Number(expires) - Date.now() - aheadMs) / 1000));
    const wholeDays = Math.floor(seconds / 86400);
    const clock = [Math.floor((seconds % 86400) / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
    const text = clock.map(two).join(":");
    timer.textContent = wholeDays > 0 ? `${days.format(wholeDays)} ${text}` : text;
  }

  // Also asked by the processor's script, once it has something to tell.
  async function look() {
    const answer = await fetch(`/pay/${slug}/state`, { headers: { "x-checkout-session": session } });
    if (!answer.ok) return;
    const now = (await answer.json()).state;
    if (now !== state) location.replace(`/pay/${slug}?${new URLSearchParams({ session })}`);
  }
  window.lookAtCheckout = () => look().catch(() => undefined);

  if (label !== null && timer !== null) {
    label.textContent = label.dataset.countdown;
    timer.hidden = false;
    showTimeLeft();
    setInterval(showTimeLeft, 1000);
  }
  setInterval(() => {
    if (!document.hidden) window.lookAtCheckout();
  }, POLL_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) window.lookAtCheckout();
  });

  // After the form was sent, so that the button's own value goes with it.
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      const button = event.submitter;
      setTimeout(() => {
        for (const each of form.querySelectorAll("button")) each.disabled = true;
        if (button?.dataset.working) button.textContent = button.dataset.working;
      });
    });
  }
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
