/**
 * Scalar's style sheet with Trunkline's fonts. Scalar's own text colors have too little contrast, its list of endpoints
 * scrolls without a way to reach it by keyboard, and its button that copies code has no name.
 */
export const SCALAR_STYLES = `
.scalar-app, .light-mode, .dark-mode {
  --scalar-font: var(--font-geist-sans), system-ui, sans-serif;
  --scalar-font-code: var(--font-geist-mono), monospace;
  --scalar-custom-header-height: 3.25rem;
}
.light-mode {
  --scalar-color-2: #666;
  --scalar-color-3: #6b6b6b;
  --scalar-color-blue: #0067a8;
  --scalar-color-green: #067647;
  --scalar-color-orange: #a84300;
  --scalar-color-purple: #5a4fb5;
  --scalar-color-red: #c40000;
  --scalar-color-yellow: #806000;
}
.dark-mode {
  --scalar-color-3: #999;
  --scalar-color-red: #ff6b6b;
}
.endpoints-card .scalar-card-content, .endpoints-card .endpoints {
  max-height: none;
  overflow: visible;
}
.endpoints-card .endpoint {
  flex-wrap: wrap;
}
.endpoints-card .endpoint-path {
  min-width: 0;
  white-space: normal;
  overflow-wrap: anywhere;
}
.scalar-code-copy::after {
  content: "Copy code";
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
`;
