/** Stands in for components of VitePress's theme that no page of this site shows. */
export default { render: () => null };
