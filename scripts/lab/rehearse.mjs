// npx node scripts/lab/rehearse.mjs [tarball] [offline] [readme]: does what a new user does, in new folders, and prints the time
// of each step. tarball: installs the npm package and delivers a first message. offline: starts a clean clone without a
// network. readme: follows the README until a webhook is verified. Without arguments, all three. Installs need the network.
import { createReport } from "./rehearse/create-report.mjs";
import { rehearseOffline } from "./rehearse/rehearse-offline.mjs";
import { rehearseReadme } from "./rehearse/rehearse-readme.mjs";
import { rehearseTarball } from "./rehearse/rehearse-tarball.mjs";

const REHEARSALS = { tarball: rehearseTarball, offline: rehearseOffline, readme: rehearseReadme };

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(REHEARSALS);
const unknown = names.filter((name) => !(name in REHEARSALS));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown: ${unknown.join(", ")}. Choose from ${Object.keys(REHEARSALS).join(", ")}.\n`,
  );
  process.exit(2);
}
for (const name of names) {
  const report = createReport(name);
  try {
    await REHEARSALS[name](report);
  } catch (error) {
    report.fail(error);
    process.exitCode = 1;
  }
}
