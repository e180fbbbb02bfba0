import type { Page } from "@playwright/test";

/** Opens a page with a form and holds its scripts, as on a slow connection. `hydrate` releases them. */
export async function openBeforeHydration(page: Page, url: string): Promise<{ hydrate(): Promise<void> }> {
  const released = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "commit" });
  return {
    async hydrate() {
      released.resolve();
      await page.waitForFunction(() => {
        const form = document.querySelector("form");
        return form !== null && Object.keys(form).some((key) => key.startsWith("__reactProps"));
      });
    },
  };
}

/** The URLs that the page requests from now on. */
export function watchUrls(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  return urls;
}
