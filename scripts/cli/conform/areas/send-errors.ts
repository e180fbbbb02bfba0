import type { World } from "@/scripts/cli/conform/run";

/** An invalid send to the recipient of the run, with its code. */
interface SendError {
  name: string;
  section: string;
  /** The content of the message; by default a valid text. */
  message?: (world: World) => object;
  /** Other fields of the body of `POST /v3/chats`. */
  more?: Readonly<Record<string, unknown>>;
  status: number;
  codes: readonly number[];
}

const text = (value: string, more: object = {}) => ({ type: "text", value, ...more });
const parts = (...all: object[]) => ({ parts: all });
const MAX_TEXT = 10_000;
const MAX_KEY = 255;
/** A fictional number, which no account has. */
const NO_LINE = "+15550199999";
const APP = { bundle_id: "com.example.conform", name: "Conform", team_id: "ABCDE12345" };

/** The sends that are rejected before they reach anyone (docs/contract.md, sections 6 and 7.2). */
export const SEND_ERRORS: readonly SendError[] = [
  { name: "no parts", section: "6.1", message: () => parts(), status: 400, codes: [1001, 1004] },
  {
    name: "a text without a value",
    section: "6.1",
    message: () => parts({ type: "text" }),
    status: 400,
    codes: [1001],
  },
  { name: "an empty text", section: "6.2", message: () => parts(text("")), status: 400, codes: [1004] },
  {
    ...{ name: "a text of more than 10,000 units", section: "6.2", status: 400, codes: [1004] },
    message: () => parts(text("x".repeat(MAX_TEXT + 1))),
  },
  {
    ...{ name: "two adjacent texts", section: "6.1", status: 400, codes: [1004] },
    message: () => parts(text("One"), text("Two")),
  },
  {
    name: "an unknown type of part",
    section: "6.1",
    message: () => parts({ type: "fax" }),
    status: 400,
    codes: [1004],
  },
  {
    ...{ name: "a link beside a text", section: "6.1", status: 400, codes: [1004] },
    message: () => parts({ type: "link", value: "https://example.com" }, text("One")),
  },
  {
    ...{ name: "media without a source", section: "6.3", status: 400, codes: [1001] },
    message: () => parts({ type: "media" }),
  },
  {
    ...{ name: "media with two sources", section: "6.3", status: 400, codes: [1004] },
    message: ({ unknownId }) =>
      parts({ type: "media", url: "https://conform.invalid/a.png", attachment_id: unknownId }),
  },
  {
    ...{ name: "media that is not https", section: "6.3", status: 400, codes: [1004, 1005, 5007] },
    message: () => parts({ type: "media", url: "http://conform.invalid/a.png" }),
  },
  {
    ...{ name: "an unknown attachment", section: "6.3", status: 404, codes: [2003] },
    message: ({ unknownId }) => parts({ type: "media", attachment_id: unknownId }),
  },
  {
    ...{ name: "an attachment without bytes", section: "6.3", status: 404, codes: [2007] },
    message: ({ attachmentId, unknownId }) =>
      parts({ type: "media", attachment_id: attachmentId ?? unknownId }),
  },
  {
    ...{ name: "an unknown app clip", section: "6.4", status: 400, codes: [1009] },
    message: () => parts({ type: "app_clip", value: "https://conform.invalid/clip" }),
  },
  {
    ...{ name: "a card without a name", section: "6.5", status: 400, codes: [1008] },
    message: () =>
      parts({ type: "imessage_app", app: { ...APP, name: undefined }, layout: { caption: "One" } }),
  },
  {
    ...{ name: "a card with a wrong team", section: "6.5", status: 400, codes: [1008] },
    message: () =>
      parts({ type: "imessage_app", app: { ...APP, team_id: "abc" }, layout: { caption: "One" } }),
  },
  {
    ...{ name: "an empty effect", section: "6.6", status: 400, codes: [1004] },
    message: () => ({ ...parts(text("One")), effect: {} }),
  },
  {
    ...{ name: "a decoration outside of the text", section: "6.2", status: 400, codes: [1004] },
    message: () => parts(text("One", { text_decorations: [{ range: [0, 9], style: "bold" }] })),
  },
  {
    ...{ name: "a key of more than 255 units", section: "4.1", status: 400, codes: [1004, 1005] },
    message: () => ({ ...parts(text("One")), idempotency_key: "k".repeat(MAX_KEY + 1) }),
  },
  {
    ...{ name: "a reply to an unknown message", section: "6.1", status: 404, codes: [2002] },
    message: ({ unknownId }) => ({ ...parts(text("One")), reply_to: { message_id: unknownId } }),
  },
  {
    ...{ name: "parts beside an experience", section: "6.1", status: 400, codes: [1004] },
    message: () => ({ ...parts(text("One")), experience: { name: "link", action: "open", params: {} } }),
  },
  { name: "an unknown line", section: "11.2", more: { from: NO_LINE }, status: 403, codes: [2006] },
  {
    name: "a line that is no number",
    section: "1.4",
    more: { from: "5550100101" },
    status: 400,
    codes: [1002],
  },
  {
    name: "a recipient that is no handle",
    section: "1.4",
    more: { to: ["nobody"] },
    status: 400,
    codes: [1002],
  },
];
