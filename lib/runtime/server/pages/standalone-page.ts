import "server-only";
import type { Answer } from "@/lib/runtime/http/answer";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

// The colors of app/globals.css. The page loads no other file, because the server may not be able to serve it.
const STYLE = `
  :root { color-scheme: light dark; --back: oklch(0.991 0.001 260); --text: oklch(0.21 0.014 264);
    --muted: oklch(0.492 0.014 262); --brand: oklch(0.6 0.145 45); }
  @media (prefers-color-scheme: dark) { :root { --back: oklch(0.168 0.007 264); --text: oklch(0.945 0.004 260);
    --muted: oklch(0.71 0.012 262); --brand: oklch(0.74 0.125 52); } }
  body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.6 system-ui, sans-serif; }
  main { box-sizing: border-box; display: flex; flex-direction: column; justify-content: center; gap: 16px;
    max-width: 448px; min-height: 70dvh; margin: 0 auto; padding: 64px 24px; }
  svg { width: 32px; height: 32px; fill: none; stroke: var(--brand); stroke-width: 2.25; stroke-linecap: round; }
  svg path:last-child { stroke: currentColor; }
  h1 { margin: 0; font-size: 24px; line-height: 1.3; font-weight: 600; letter-spacing: -0.025em; }
  p { margin: 0; color: var(--muted); }
  code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
  a { align-self: flex-start; padding: 6px 14px; border-radius: 8px; background: var(--text); color: var(--back);
    font-weight: 500; text-decoration: none; }
  a:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }`;

interface StandalonePage {
  status: number;
  heading: string;
  /** Paragraphs of trusted HTML. */
  paragraphs: readonly string[];
  /** The page reloads itself after this time. */
  reloadSeconds: number;
  traceId: string;
}

/** A response with a page that needs no other file of the server, and that reloads itself. */
export function standalonePage({
  status,
  heading,
  paragraphs,
  reloadSeconds,
  traceId,
}: StandalonePage): Answer {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      refresh: String(reloadSeconds),
      "retry-after": String(reloadSeconds),
      "x-content-type-options": "nosniff",
      "x-trace-id": traceId,
    },
    text: render(heading, paragraphs),
  };
}

function render(heading: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Trunkline</title>
<style>${STYLE}</style>
<main>
  <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2.5 6h2.6c5 0 5.2 6 10.4 6"/><path d="M2.5 18h2.6c5 0 5.2-6 10.4-6"/><path d="M2.5 12h19"/></svg>
  <h1>${heading}</h1>
${paragraphs.map((text) => `  <p>${text}</p>`).join("\n")}
  <a href="">Try again</a>
</main>
</html>
`;
}
