/** A field of an object; undefined if there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The value at a path such as `chat.handles.0.id` of a response; undefined if there is none. */
export function valueAt(json: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(fieldOf, json);
}

/** The text at a path of a response; undefined if there is none. */
export function textAt(json: unknown, path: string): string | undefined {
  const value = valueAt(json, path);
  return typeof value === "string" ? value : undefined;
}

/** An ID that can stand in a path as it is: one segment, and not `.` or `..`. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.:~-]{1,1024}$/;

/** The ID at a path of a response; undefined if there is none, or one that is not a single segment of a path. */
export function idAt(json: unknown, path: string): string | undefined {
  const text = textAt(json, path);
  return text !== undefined && SEGMENT.test(text) ? text : undefined;
}
