/** Each makes its files in the folder and gives their paths. */
export function mediaSeeds(folder: string): string[];
export function imageSeeds(folder: string): string[];
export function engineSeeds(folder: string): string[];
export function h264Seeds(folder: string): string[];
