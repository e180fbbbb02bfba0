import { createHash } from "node:crypto";
import { createRandom } from "../fuzz/random.mjs";

/** A random stream for one concern of a seed, so that one concern never changes the choices of another. */
export function streamOf(seed, concern) {
  return createRandom(createHash("sha256").update(`${seed} ${concern}`).digest().readUInt32BE());
}
