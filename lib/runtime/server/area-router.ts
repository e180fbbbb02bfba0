import "server-only";
import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

const AREA = /^\/(?:v\d\/)?[^/]*/;

/**
 * Uses one router per area of the API, such as /v3/chats: one regular expression matches a whole area, and ambiguous
 * paths slow down only their own area.
 */
export class AreaRouter<Handler> implements Router<Handler> {
  readonly name = "AreaRouter";
  readonly #areas = new Map<string, Router<Handler>>();

  add(method: string, path: string, handler: Handler): void {
    const area = areaOf(path);
    const router =
      this.#areas.get(area) ??
      new SmartRouter<Handler>({ routers: [new RegExpRouter<Handler>(), new TrieRouter<Handler>()] });
    router.add(method, path, handler);
    this.#areas.set(area, router);
  }

  match(method: string, path: string): Result<Handler> {
    return this.#areas.get(areaOf(path))?.match(method, path) ?? [[]];
  }
}

function areaOf(path: string): string {
  return AREA.exec(path)?.[0] ?? "";
}
