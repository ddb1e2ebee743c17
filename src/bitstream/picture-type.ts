// The types of pictures.

/** The letter of picture_coding_type 1, 2, 3; ISO/IEC 11172-2 §2.4.3.4. */
export type PictureType = 'I' | 'P' | 'B';

/** The types in the order of their numbers in kernel memory: see I_PICTURE. */
export const PICTURE_TYPES: readonly PictureType[] = ['I', 'P', 'B'];
