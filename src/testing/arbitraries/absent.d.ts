/**
 * Stand-in for fast-check's types where it is not installed. TypeScript tries an ambient pattern only after it failed
 * to find the package: an installed fast-check keeps its own types.
 */
declare module 'fast-check*' {
  const fc: never;
  namespace fc {
    interface Arbitrary<T> {
      readonly 'fast-check is not installed': T;
    }
  }
  export default fc;
}
