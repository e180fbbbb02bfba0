import "server-only";
import type { Mail } from "@/lib/identity/mail/mail";
import { dashboardUrl } from "@/lib/platform/env";

/** An email as it is sent: the same content as plain text and as HTML. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const MAX_SUBJECT = 200;
// Control characters, line separators and bidirectional controls, none of which a name needs.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Lays out an email. Names in it can contain any character: none starts a header, a line or a tag. */
export function renderMail({ subject, paragraphs, details, action }: Mail): RenderedMail {
  const host = new URL(dashboardUrl()).host;
  const footer = `Sent by Trunkline at ${host}.`;
  return {
    subject: toLine(subject).slice(0, MAX_SUBJECT),
    text: textOf(paragraphs.map(toLine), details.map(toDetail), action, footer),
    html: htmlOf(paragraphs.map(toLine), details.map(toDetail), action, footer),
  };
}

type Details = readonly (readonly [label: string, value: string])[];

function toLine(text: string): string {
  return text.replace(CONTROL, " ").trim();
}

function toDetail([label, value]: readonly [string, string]): [string, string] {
  return [toLine(label), toLine(value)];
}

function textOf(
  paragraphs: readonly string[],
  details: Details,
  action: Mail["action"],
  footer: string,
): string {
  const [first = "", ...rest] = paragraphs;
  const blocks = [first];
  if (details.length > 0) blocks.push(details.map(([label, value]) => `${label}: ${value}`).join("\n"));
  if (action !== undefined) blocks.push(`${action.label}:\n${action.url}`);
  return [...blocks, ...rest, `-- \n${footer}`].join("\n\n");
}

const BODY =
  "margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1c1c";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#1c1c1c;color:#ffffff;text-decoration:none";

function htmlOf(
  paragraphs: readonly string[],
  details: Details,
  action: Mail["action"],
  footer: string,
): string {
  const [first = "", ...rest] = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`);
  const rows = details.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#6b6b6b">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const url = action && escapeHtml(action.url);
  return [
    `<!doctype html><html lang="en"><body style="${BODY}"><div style="max-width:36em">`,
    first,
    rows.length === 0 ? "" : `<table style="border-spacing:0">${rows.join("")}</table>`,
    action === undefined
      ? ""
      : `<p><a href="${url}" style="${BUTTON}">${escapeHtml(action.label)}</a></p><p style="color:#6b6b6b;font-size:14px">Or open this URL: ${url}</p>`,
    ...rest,
    `<p style="color:#6b6b6b;font-size:14px">${escapeHtml(footer)}</p></div></body></html>`,
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
