/** How many frames a popup may take until it has the focus. */
const MAX_FRAMES = 60;

/**
 * Sends keys that were pressed while a popup was loading to the popup, in their order, as soon as it has the focus. Gives
 * up if the focus does not arrive within a second.
 */
export function replayKeys(keys: readonly string[]): void {
  const rest = [...keys];
  let frames = 0;

  function step(): void {
    const focused = document.activeElement;
    if (focused?.closest("[role=menu], [role=listbox]")) {
      const key = rest.shift();
      if (key === undefined) return;
      focused.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      // A list moves the focus in a timeout of its own, which was set before this one.
      setTimeout(next, 0);
    } else if (++frames <= MAX_FRAMES) next();
  }

  function next(): void {
    if (rest.length > 0) requestAnimationFrame(step);
  }

  next();
}
