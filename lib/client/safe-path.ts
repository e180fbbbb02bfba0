/** A path of this site to go on to; "/" for whatever else someone put into an address. */
export function safePath(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])/.test(to)) return "/";
  const base = "http://localhost";
  return URL.canParse(to, base) && new URL(to, base).origin === base ? to : "/";
}
