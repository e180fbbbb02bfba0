/** Set in the browser and read by the layout on the server, so that the sidebar does not shift while loading. */
export const sidebarCookie = { name: "trunkline-sidebar", collapsed: "collapsed", expanded: "expanded" };
