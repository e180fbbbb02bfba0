import "server-only";

/** The template of a path, such as /v3/chats/{chatId}, from its parameters; null when the endpoint does not exist. */
export function routeOf(pathWithQuery: string, params: Record<string, string> | null): string | null {
  if (params === null) return null;
  const path = (pathWithQuery.split("?", 1)[0] ?? "").replace(/^\/api\/partner(?=\/v3)/, "");
  const names = new Map(Object.entries(params).map(([name, value]) => [value, name]));
  if (names.size === 0) return path;
  const segments = path.split("/").map((segment) => {
    const name = names.get(segment) ?? names.get(decoded(segment));
    return name === undefined ? segment : `{${name}}`;
  });
  return segments.join("/");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
