/** Browsers say `online` when the network is back; a server that was restarted says nothing. */
const AGAIN_MS = 3000;

/**
 * Loads a part of a page that is loaded later, and tries again until it is there: without a network, or while the server
 * restarts, the part is missing and the rest of the page stays. React would keep the first failure, and show it in place of
 * the page.
 */
export async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (typeof window === "undefined") throw error;
      await nextChance();
    }
  }
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, AGAIN_MS);
    window.addEventListener("online", end);
  });
}
