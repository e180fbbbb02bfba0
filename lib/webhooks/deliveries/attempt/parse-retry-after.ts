import "server-only";

/**
 * Parses a `Retry-After` header into ms from `wallNow`: whole seconds or an HTTP date (RFC 9110, 10.2.3). Returns
 * null when the header is missing or invalid, or its time has passed.
 */
export function parseRetryAfter(header: string | undefined, wallNow: Date): number | null {
  const text = header?.trim() ?? "";
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : fromDate(text, wallNow);
  return ms > 0 ? ms : null;
}

// Date.parse accepts more than HTTP dates, which begin with the name of a day.
function fromDate(text: string, wallNow: Date): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return 0;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at - wallNow.getTime();
}
