import type { Page } from "@playwright/test";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** The smallest side of a target in CSS pixels, or the diameter of the free circle around a smaller one (WCAG 2.5.8). */
const LEAST = 24;

const PATHS = [
  "/",
  "/chats",
  "/attachments",
  "/chat-health",
  "/opt-outs",
  "/opt-outs/near-misses",
  "/blocked-handles",
  "/lines",
  "/contact-cards",
  "/payments",
  "/payments/settings",
  "/agent-payments",
  "/experiences",
  "/phones",
  "/events",
  "/requests",
  "/webhooks",
  "/webhooks/consumers",
  "/tokens",
  "/notices",
  "/settings",
  "/settings/people",
];

/** Lists the targets of the open page that are smaller than LEAST and too close to another target. */
function closeTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const SELECTOR =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=switch], [role=checkbox]";

    type Box = { left: number; top: number; right: number; bottom: number };
    const isSmall = (box: Box) => box.right - box.left < least || box.bottom - box.top < least;
    const centerOf = (box: Box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });

    function isVisible(element: Element): boolean {
      const { width, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return isShown && width > 1 && height > 1;
    }

    // A link in a sentence is as high as its line, which the rule allows.
    function isInText(element: Element): boolean {
      const own = element.textContent?.trim().length ?? 0;
      const around = element.parentElement?.textContent?.trim().length ?? 0;
      return getComputedStyle(element).display === "inline" && around > own;
    }

    // The first cell's link covers its row, and a label is part of its control.
    function boxOf(element: Element): Box {
      const row = element.matches("[data-row]") ? element.closest("tr, li") : null;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      const boxes = [element, row, label].flatMap((part) => (part ? [part.getBoundingClientRect()] : []));
      return {
        left: Math.min(...boxes.map(({ left }) => left)),
        top: Math.min(...boxes.map(({ top }) => top)),
        right: Math.max(...boxes.map(({ right }) => right)),
        bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      };
    }

    function isTooClose(box: Box, others: readonly Box[]): boolean {
      const { x, y } = centerOf(box);
      return others.some((other) => {
        const away = centerOf(other);
        if (isSmall(other)) return Math.hypot(x - away.x, y - away.y) < least;
        const dx = Math.max(other.left - x, 0, x - other.right);
        const dy = Math.max(other.top - y, 0, y - other.bottom);
        return Math.hypot(dx, dy) < least / 2;
      });
    }

    const targets = [...document.querySelectorAll(SELECTOR)]
      .filter((element) => isVisible(element) && !isInText(element))
      .map((element) => ({ element, box: boxOf(element) }));
    return targets
      .filter(({ element, box }) => {
        const others = targets.filter(
          (other) => other.element !== element && !other.element.matches("[data-row]"),
        );
        return (
          isSmall(box) &&
          isTooClose(
            box,
            others.map((other) => other.box),
          )
        );
      })
      .map(({ element, box }) => {
        const size = `${Math.round(box.right - box.left)}x${Math.round(box.bottom - box.top)}`;
        return `${size} ${element.outerHTML.slice(0, 160)}`;
      });
  }, LEAST);
}

test("on a phone every target of the main pages is 24 pixels wide and high, or has the space", async ({
  page,
}) => {
  const { chatId, handle } = await newPhone();
  await send(chatId, "a message with its actions");
  await write(handle, firstRun().line, "please stop");
  await sendRequest("POST /v3/payment_requests", { amount: 4200, currency: "usd", description: "A target" });
  await page.setViewportSize({ width: 390, height: 844 });
  const tooClose: Record<string, string[]> = {};
  for (const path of [...PATHS, `/chats/${chatId}`, `/customers/${encodeURIComponent(handle)}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeAttached();
    const found = await closeTargets(page);
    if (found.length > 0) tooClose[path] = found;
  }
  expect(tooClose).toEqual({});
});
