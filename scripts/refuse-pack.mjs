// Runs before `npm pack` and `npm publish`, which would pack the sources without the build and without trunkline/testing.
process.stderr.write(
  "Run `npm run pack` instead: it builds Trunkline and packs dist/trunkline-<version>.tgz.\n",
);
process.exitCode = 1;
