/** Returns the path if it is on this site, otherwise "/". Prevents redirects to other sites. */
export function safePath(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])/.test(to)) return "/";
  const base = "http://localhost";
  return URL.canParse(to, base) && new URL(to, base).origin === base ? to : "/";
}
