/** What a person has typed or pasted, one after the other: between blanks, commas or in lines. */
export const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');
