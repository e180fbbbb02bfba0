import type { Page } from "@playwright/test";

/**
 * From now on, loads of this page end when its script runs: a click before has no effect, and a test is faster than a
 * person. Pages outside the dashboard are loaded as before.
 */
export function loadUntilHydrated(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...args) => untilHydrated(page, await goto(...args));
  page.reload = async (...args) => untilHydrated(page, await reload(...args));
}

async function untilHydrated<Loaded>(page: Page, loaded: Loaded): Promise<Loaded> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-label="Sidebar"], header [aria-keyshortcuts]') === null ||
      (document.documentElement.dataset.hydrated === "true" &&
        [...document.querySelectorAll("main :is(input, textarea, select, button)")].every((control) =>
          Object.keys(control).some((key) => key.startsWith("__reactProps")),
        )),
  );
  return loaded;
}
