/**
 * Runs `measure`, then the functions in `stops` in reverse order, and ends the process: with 0 if the measurement
 * succeeded, with 1 after an error or a signal. `stops` may grow until the end. Errors that the end itself causes are not
 * reported.
 */
export async function runMeasurement(measure, stops) {
  let ending;
  const end = (code) => {
    ending ??= stopAll(stops).then(() => process.exit(code));
    return ending;
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end(1));

  try {
    await measure();
    await end(0);
  } catch (error) {
    if (ending === undefined) process.stderr.write(`\nThe measurement failed: ${error.stack}\n`);
    await end(1);
  }
}

async function stopAll(stops) {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    try {
      await stop();
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
  }
}
