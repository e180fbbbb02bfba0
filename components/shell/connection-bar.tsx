"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Connection, useConnection } from "@/lib/client/connection";

const TEXTS: Readonly<Record<Exclude<Connection, "online">, string>> = {
  offline: "You are offline. This page may be out of date.",
  unreachable: "The server does not respond. Trying again…",
};

/** Says that the page is cut off from the server. When the connection is back, what the page shows is fetched again. */
export function ConnectionBar() {
  const connection = useConnection();
  const queryClient = useQueryClient();
  const was = useRef(connection);

  useEffect(() => {
    if (connection === "online" && was.current !== "online") void queryClient.invalidateQueries();
    was.current = connection;
  }, [connection, queryClient]);

  return (
    <div role="status">
      {connection !== "online" && (
        <p
          data-connection-bar
          className="flex h-8 items-center border-t bg-warning-fill/20 px-2 text-warning text-xs sm:px-4"
        >
          <span className="truncate">{TEXTS[connection]}</span>
        </p>
      )}
    </div>
  );
}
