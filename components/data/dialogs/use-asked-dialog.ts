"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

const PARAM = "dialog";
const SUBJECT = "about";

interface AskedDialog {
  /** How often the address asked for the dialog since the page was opened. */
  times: number;
  /** The subject that the last address named, such as a handle, or "". */
  subject: string;
}

/**
 * The dialog that the address asks for with `?dialog=`, optionally about a subject (`&about=`). The parameters are removed
 * from the address at once, so that a reload or a shared address does not open the dialog again.
 */
export function useAskedDialog(name: string | undefined): AskedDialog {
  const isAsked = useSearchParams().get(PARAM) === name && name !== undefined;
  const [asked, setAsked] = useState<AskedDialog>({ times: 0, subject: "" });

  useEffect(() => {
    if (!isAsked) return;
    const params = new URLSearchParams(location.search);
    const subject = params.get(SUBJECT) ?? "";
    setAsked(({ times }) => ({ times: times + 1, subject }));
    params.delete(PARAM);
    params.delete(SUBJECT);
    const query = params.toString();
    history.replaceState(null, "", query === "" ? location.pathname : `${location.pathname}?${query}`);
  }, [isAsked]);

  return asked;
}
