import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The axe rules whose result depends on colors, and so on the color scheme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** A desktop and a small phone. */
const WIDTHS = [1280, 360];
const HEIGHT = 800;

interface Options {
  /** Widths of the window, in CSS pixels. */
  widths?: readonly number[];
  /** Rules that do not apply to the current page. */
  without?: readonly string[];
}

/**
 * Expects that axe finds no violations on the open page and that nothing is wider than the window, at each width. Runs
 * all rules in the light scheme and the color rules in the dark one. The page is loaded only once, because loading
 * takes most of the time.
 */
export async function expectAccessible(
  page: Page,
  { widths = WIDTHS, without = [] }: Options = {},
): Promise<void> {
  await page.waitForLoadState("load");
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await transitionsEnd(page);
      // A scrolling region becomes focusable by keyboard only after it has been measured.
      await expect(async () => {
        const found = await violations(page, colorScheme === "dark" ? COLOR_RULES : undefined, without);
        expect(found, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
      }).toPass({ timeout: 30_000 });
    }
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(excess, `${page.url()} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0);
    expect(
      await emptyBelow(page),
      `${page.url()} at ${width} px scrolls beyond its content`,
    ).toBeLessThanOrEqual(1);
  }
}

/** How far the page scrolls beyond its content, in CSS pixels: hidden elements can make a page longer than it looks. */
function emptyBelow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const space = (element: Element, name: "marginBottom" | "paddingBottom") =>
      Number.parseFloat(getComputedStyle(element)[name]) || 0;
    const bottoms = [...document.body.children].map(
      (child) => child.getBoundingClientRect().bottom + window.scrollY + space(child, "marginBottom"),
    );
    const end = Math.max(0, ...bottoms) + space(document.body, "paddingBottom");
    return document.documentElement.scrollHeight - Math.max(window.innerHeight, end);
  });
}

/** Opens each path, waits for its heading and expects it to be accessible. */
export async function expectPagesAccessible(
  page: Page,
  paths: readonly string[],
  options?: Options,
): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page, options);
  }
}

async function violations(
  page: Page,
  only: readonly string[] | undefined,
  without: readonly string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([only, without]) => {
      const { axe: checker } = window as unknown as { axe: typeof axe };
      const { violations } = await checker.run(document, {
        resultTypes: ["violations"],
        // The dashboard has no frames of its own, and frames of other origins are not checked.
        iframes: false,
        preload: false,
        rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
        ...(only === undefined ? {} : { runOnly: { type: "rule", values: [...only] } }),
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    },
    [only, without] as const,
  );
}

/** Colors are final once no CSS transition runs. */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map((transition) => transition.finished));
  });
}
