import "server-only";
import { Html, html } from "@/lib/payments/checkout/html";
import type { ConsentEvidence } from "@/lib/privacy/consent/consent-evidence";

type Actor = ConsentEvidence["decisions"][number]["by"];

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;color:#111;background:#fff;max-width:800px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}
blockquote{margin:.25rem 0;padding-left:.75rem;border-left:3px solid #999;white-space:pre-wrap}
dt{font-weight:600}dd{margin:0 0 .5rem}@media print{body{margin:0}tr{break-inside:avoid}}`;

/** Renders the consent evidence of a handle as one HTML document, for printing and for archives. Times are in UTC. */
export function renderConsent(evidence: ConsentEvidence): string {
  const { handle, account, generated_at, opted_out_at, blocked_at } = evidence;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>Consent evidence of ${handle}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<h1>Consent evidence of ${handle}</h1>
<dl>
<dt>Account</dt><dd>${account.name} (${account.id})</dd>
<dt>Created</dt><dd>${time(generated_at)}</dd>
<dt>Current status</dt><dd>${opted_out_at === null ? "Not opted out" : html`Opted out since ${time(opted_out_at)}`}${blocked_at === null ? null : html`; blocked since ${time(blocked_at)}`}</dd>
</dl>
${contacts(evidence)}
${optOuts(evidence)}
${nearMisses(evidence)}
${decisions(evidence)}
${evidence.is_truncated ? html`<p>This document contains only the newest entries.</p>` : null}
</body>
</html>`.text;
}

function time(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function actor(by: Actor): string {
  if (by === null) return "unknown";
  const type = { api: "API token", user: "user", system: "system" }[by.type] ?? by.type;
  return by.name === null ? type : `${by.name} (${type})`;
}

function section(title: string, headings: readonly string[], rows: readonly Html[], empty: string): Html {
  if (rows.length === 0) return html`<section><h2>${title}</h2><p>${empty}</p></section>`;
  const heads = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  return html`<section><h2>${title}</h2><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></section>`;
}

function contacts({ contacts }: ConsentEvidence): Html {
  const rows = contacts.map(
    ({ line, first_inbound_at, last_inbound_at }) =>
      html`<tr><td>${line}</td><td>${time(first_inbound_at)}</td><td>${time(last_inbound_at)}</td></tr>`,
  );
  const headings = ["Line", "First message from the person", "Last message"];
  return section("Messages from the person", headings, rows, "The person has not written to the account.");
}

function optOuts({ opt_outs }: ConsentEvidence): Html {
  const rows = opt_outs.map((optOut) => {
    const words = optOut.words === null ? null : html`<blockquote>${optOut.words}</blockquote>`;
    const began = optOut.cause === "keyword" ? `Keyword ${optOut.keyword}` : `Decided by ${actor(optOut.by)}`;
    const ended = optOut.ended_at === null ? "In effect" : time(optOut.ended_at);
    const why =
      optOut.end_cause === "person" ? `Decided by ${actor(optOut.ended_by)}` : "The person wrote again";
    const overrides = optOut.overrides.map(
      ({ at, by, reason }) =>
        html`<li>Sent despite the opt-out ${time(at)} by ${actor(by)}${reason === null ? "" : `: ${reason}`}</li>`,
    );
    return html`<tr><td>${time(optOut.started_at)}</td><td>${began}${words}</td><td>${ended}${
      optOut.ended_at === null ? null : html`<br />${why}`
    }</td><td><ul>${overrides}</ul></td></tr>`;
  });
  const headings = ["Began", "Cause and words", "Ended", "Overrides"];
  return section("Opt-outs", headings, rows, "The person never opted out.");
}

function nearMisses({ near_misses }: ConsentEvidence): Html {
  const rows = near_misses.map(({ created_at, word, words, decision, decided_at, decided_by }) => {
    const decided =
      decision === null || decided_at === null
        ? "Not decided"
        : `${decision === "opted_out" ? "Opted out" : "Dismissed"} ${time(decided_at)} by ${actor(decided_by)}`;
    return html`<tr><td>${time(created_at)}</td><td>${word}${
      words === null ? null : html`<blockquote>${words}</blockquote>`
    }</td><td>${decided}</td></tr>`;
  });
  const headings = ["Written", "Word and message", "Decision"];
  return section("Messages that may be opt-outs", headings, rows, "There are none.");
}

const ACTIONS: Readonly<Record<string, string>> = {
  "opt_out.set": "Opted out",
  "opt_out.ended": "Opted in",
  "handle.blocked": "Blocked",
  "handle.unblocked": "Unblocked",
};

function decisions({ decisions }: ConsentEvidence): Html {
  const rows = decisions.map(
    ({ at, action, by, note }) =>
      html`<tr><td>${time(at)}</td><td>${ACTIONS[action] ?? action}</td><td>${actor(by)}</td><td>${note}</td></tr>`,
  );
  return section("Decisions", ["Time", "Decision", "By", "Note"], rows, "There are none.");
}
