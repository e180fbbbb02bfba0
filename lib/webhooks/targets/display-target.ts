/** The title of an endpoint: its name, or else its target. */
export function endpointTitle({ name, target_url }: { name: string | null; target_url: string }): string {
  return name ?? displayTarget(target_url);
}

/** The name of an endpoint without a name: the host and path of its target URL, which tell endpoints of one host apart. */
export function displayTarget(targetUrl: string): string {
  const { host, pathname } = new URL(targetUrl);
  return pathname === "/" ? host : `${host}${pathname}`;
}
