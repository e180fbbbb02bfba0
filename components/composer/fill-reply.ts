/** The values of the variables of a canned reply. */
export interface ReplyValues {
  name: string | null;
  handle: string | null;
  line: string | null;
  agent: string | null;
}

/** The variables that a canned reply can contain, with the value that each stands for. */
export const REPLY_VARIABLES: readonly { name: keyof ReplyValues; meaning: string }[] = [
  { name: "name", meaning: "the recipient's name" },
  { name: "handle", meaning: "the recipient's number or email address" },
  { name: "line", meaning: "your line" },
  { name: "agent", meaning: "your name" },
];

/**
 * Replaces the variables of a canned reply. A variable without a value disappears with the space before it: “Hi {{name}},”
 * becomes “Hi,”. Other braces stay as they are.
 */
export function fillReply(body: string, values: ReplyValues): string {
  return body.replace(
    /( ?)\{\{\s*(name|handle|line|agent)\s*\}\}/g,
    (_, space: string, name: keyof ReplyValues) => {
      const value = values[name];
      return value === null ? "" : space + value;
    },
  );
}
