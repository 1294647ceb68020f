/** Such as `/console/batches/7`. */
export const linkTo = (path: string): string => `/console${path}`;
