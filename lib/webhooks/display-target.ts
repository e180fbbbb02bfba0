/** The name of an endpoint in titles: the host and path of its target URL, which tell endpoints of one host apart. */
export function displayTarget(targetUrl: string): string {
  const { host, pathname } = new URL(targetUrl);
  return pathname === "/" ? host : `${host}${pathname}`;
}
