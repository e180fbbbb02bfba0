// npm run image: packs Trunkline and stages dist/image, the files of a container image: the npm package with its
// production dependencies, without the embedded PostgreSQL and a second Node.

import { stageImage } from "./pack/stage-image.mjs";
import { packPackage } from "./pack.mjs";

await packPackage();
const { folder, bytes } = stageImage();
process.stdout.write(`${folder}: ${(bytes / 1024 ** 2).toFixed(1)} MB\n`);
