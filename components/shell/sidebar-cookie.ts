/** Set by the browser, read by the layout on the server, so that the sidebar never jumps while loading. */
export const sidebarCookie = { name: "trunkline-sidebar", collapsed: "collapsed", expanded: "expanded" };
