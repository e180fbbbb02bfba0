/** A piece of a text: plain, or a link. */
export interface TextPiece {
  start: number;
  text: string;
  /** The link's URL; null for plain text. */
  url: string | null;
}

const LINK = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g;

/** Splits a text into plain pieces and links. Concatenated, they are the whole text. */
export function findLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(LINK)) {
    if (index > end) pieces.push({ start: end, text: text.slice(end, index), url: null });
    pieces.push({ start: index, text: url, url });
    end = index + url.length;
  }
  if (end < text.length) pieces.push({ start: end, text: text.slice(end), url: null });
  return pieces;
}

/**
 * The path of a checkout or wallet page of this instance, which opens in the phone; null for any other URL. The browser
 * may use another host name of the instance than `baseUrl`.
 */
export function phonePagePath(url: string, baseUrl: string, pageOrigin: string | null): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^\/(pay|wallet\/(attach|approve))\//.test(parsed.pathname)) return null;
  const isOwn = parsed.origin === URL.parse(baseUrl)?.origin || parsed.origin === pageOrigin;
  return isOwn ? parsed.pathname + parsed.search : null;
}
