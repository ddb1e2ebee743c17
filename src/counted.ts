// A number with what it counts.

/** `1 frame`, `2 frames`: for names whose plural ends in s. */
export function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
