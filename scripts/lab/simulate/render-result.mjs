const SHOWN = 5;
const LAST_STEPS = 12;

/** The counts of a run, one per line. */
export function renderDetails(details) {
  return Object.entries(details)
    .map(([name, value]) => `${String(value).padStart(8)}  ${name}\n`)
    .join("");
}

/** The violated invariants of a run, each with its promise and the first things that violate it. */
export function renderViolations(violations) {
  return violations
    .map(({ name, sentence, found }) => {
      const shown = found.slice(0, SHOWN).map((item) => `    ${JSON.stringify(item)}\n`);
      return `VIOLATED  ${name}: ${sentence} ${found.length} found:\n${shown.join("")}`;
    })
    .join("");
}

/** The last steps of a history, one per line, with its seconds since the begin. */
export function renderLastSteps({ steps }) {
  const last = steps.slice(-LAST_STEPS).map(({ atMs, number, type, fault, ...rest }) => {
    const at = `${(atMs / 1000).toFixed(1).padStart(6)} s`;
    return `${at}  ${number} ${fault ?? type} ${JSON.stringify(rest)}\n`;
  });
  return `The last ${last.length} of ${steps.length} steps:\n${last.join("")}`;
}
