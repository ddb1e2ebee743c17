/** The letter of a picture's coding type; picture_coding_type 1, 2, 3. */
export type PictureType = 'I' | 'P' | 'B';
