/**
 * Reads what the last stage of a Dockerfile does. Returns `debian` (a release's name), `node` (a version), `runs` (its shell
 * commands), `workdir`, `user` ("uid:gid"), `env`, and the arguments of `healthcheck` and `command`. Throws an Error that
 * names a missing instruction.
 */
export function readDockerfile(text) {
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const all = (name, from = stage) =>
    from.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const one = (name) => {
    const [value] = all(name);
    if (value === undefined) throw new Error(`the last stage of the Dockerfile has no ${name}`);
    return value;
  };
  const args = Object.fromEntries(all("ARG", lines).map((line) => line.split("=")));
  return {
    debian: args.DEBIAN,
    node: args.NODE_VERSION,
    runs: all("RUN"),
    workdir: one("WORKDIR"),
    user: one("USER"),
    env: Object.fromEntries([...one("ENV").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
    healthcheck: JSON.parse(one("HEALTHCHECK").replace(/^.*CMD /, "")),
    command: JSON.parse(one("CMD")),
  };
}
