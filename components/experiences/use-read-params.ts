import { useEffect, useState } from "react";
import type { readParams } from "@/components/experiences/read-params";

const NOT_READ: ReturnType<typeof readParams> = { params: {}, problems: {}, isWhole: false };

/** Like `readParams`. The API's rules are loaded after the page; until then the form has no params and cannot be sent. */
export function useReadParams(...[fields, texts, ownHosts]: Parameters<typeof readParams>) {
  const [read, setRead] = useState<typeof readParams | null>(null);

  useEffect(() => {
    void import("@/components/experiences/read-params").then((loaded) => setRead(() => loaded.readParams));
  }, []);

  return read === null ? NOT_READ : read(fields, texts, ownHosts);
}
