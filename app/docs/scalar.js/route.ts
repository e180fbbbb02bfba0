import { readFile } from "node:fs/promises";
import { SCALAR_FILE } from "@/lib/docs/reference/scalar-script";

// The file is 4 MB and changes only with an installation. The page adds the version of the package to the URL.
export const dynamic = "force-dynamic";

/** The script of the API explorer, from the installed package, so that pages load nothing from other hosts. */
export async function GET(): Promise<Response> {
  return new Response(await readFile(SCALAR_FILE), {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    },
  });
}
