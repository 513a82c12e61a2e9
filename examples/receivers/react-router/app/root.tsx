/** The page around all routes, which this app does not show. */
export default function Root(): null {
  return null;
}
