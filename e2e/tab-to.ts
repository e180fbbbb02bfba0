import { expect, type Page } from "@playwright/test";

const MAX_STOPS = 60;

/** Presses Tab until an element of that name has the focus. Each stop on the way must be seen to have it. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const stops: string[] = [];
  while (stops.length < MAX_STOPS) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(describeFocus);
    stops.push(focused?.name ?? "the page");
    if (focused === null) continue;
    // While a page takes over what the server rendered, the focused element may be hidden for a moment.
    await expect
      .poll(() => page.evaluate(describeFocus), { message: `the focus on "${focused.name}" can be seen` })
      .toMatchObject({ name: focused.name, isInView: true, isMarked: true });
    if (typeof name === "string" ? focused.name === name : name.test(focused.name)) return;
  }
  throw new Error(`Tab did not reach ${name}, only ${stops.join("; ")}`);
}

/** The name of the focused element, and whether its focus can be seen; null if only the page has the focus. */
function describeFocus() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  // A field inside a box marks the box. The link of a table's row marks the row, by what it generates over it.
  const box = element.closest("[class*=focus-within], [class*=':focus-visible']") ?? element;
  const over = getComputedStyle(element, "::after");
  const isRowMarked = over.content !== "none" && over.outlineStyle !== "none";
  const isMarked = [element, box].some((marked) => {
    const { outlineStyle, boxShadow } = getComputedStyle(marked);
    return outlineStyle !== "none" || boxShadow !== "none";
  });
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const label = element.id === "" ? null : document.querySelector(`label[for="${element.id}"]`);
  const name = element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "";
  return {
    name: name.trim(),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    isMarked: isMarked || isRowMarked,
  };
}
