/**
 * How the national numbers of calling codes are grouped: for each calling code, patterns of a whole national number with
 * the replacement that separates its groups by spaces, in the order in which they are tried.
 */
export type PhoneFormats = Readonly<Record<string, readonly (readonly [pattern: string, groups: string])[]>>;

/** A number in E.164 format: its calling code (ITU-T E.164, list of assigned country codes) and its national number. */
const E164 = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)(\d{4,14})$/;

/** Returns the calling code of a number in E.164 format, without the plus; null for any other text. */
export function callingCodeOf(handle: string): string | null {
  return E164.exec(handle)?.[1] ?? null;
}

/**
 * Returns the groups in which a number in E.164 format is shown: `+44`, `7400`, `123456`. A number without a pattern has its
 * calling code apart. Any other text, such as a short code or an email address, is one group.
 */
export function digitGroups(handle: string, formats: PhoneFormats): string[] {
  const [, code, national] = E164.exec(handle) ?? [];
  if (code === undefined || national === undefined) return [handle];
  for (const [pattern, groups] of formats[code] ?? []) {
    const expression = new RegExp(`^${pattern}$`);
    if (expression.test(national)) return [`+${code}`, ...national.replace(expression, groups).split(" ")];
  }
  return [`+${code}`, national];
}
