import { expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { type ApiRoute, createApiRouter } from "@/lib/runtime/server/api-router";

const respondWith = (text: string) => async () => new Response(text);

async function answer(router: ReturnType<typeof createApiRouter>, method: string, path: string) {
  return (await router.fetch(new Request(`http://localhost${path}`, { method }))).text();
}

test("a route with a name answers before one that takes anything in its place, whatever their order", async () => {
  const router = createApiRouter([
    { path: "/api/events/:seq", methods: { GET: respondWith("an event"), POST: respondWith("a change") } },
    { path: "/api/events/:rest{.+}", methods: { GET: respondWith("the rest") } },
    { path: "/api/events/stream", methods: { GET: respondWith("the stream") } },
    { path: "/api/events/:seq/attempts", methods: { GET: respondWith("attempts") } },
  ]);

  expect(await answer(router, "GET", "/api/events/stream")).toBe("the stream");
  expect(await answer(router, "GET", "/api/events/5")).toBe("an event");
  expect(await answer(router, "GET", "/api/events/5/attempts")).toBe("attempts");
  expect(await answer(router, "GET", "/api/events/5/other")).toBe("the rest");
});

test("every route of the app is answered by its own file", async () => {
  const named: ApiRoute[] = [...routes, ...privateRoutes].map(({ path, methods }) => ({
    path,
    methods: Object.fromEntries(Object.keys(methods).map((method) => [method, respondWith(path)])),
  }));
  const router = createApiRouter(named);

  const wrong: string[] = [];
  for (const { path, methods } of named) {
    const asked = path.replace(/:\w+(\{[^}]+\})?/g, "01a00000-0000-7000-8000-000000000000");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (!(method in methods)) continue;
      const emitted = await answer(router, method, asked);
      if (emitted !== path) wrong.push(`${method} ${asked}: ${emitted}`);
    }
  }
  expect(wrong).toEqual([]);
});
