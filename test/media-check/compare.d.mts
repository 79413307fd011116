export declare const GRID: number;
export declare const RATE: number;
export declare function colorErrorOf(frames: readonly Uint8Array[], expected: readonly Uint8Array[]): number;
export declare function timeErrorOf(frames: readonly Uint8Array[], expected: readonly Uint8Array[]): { median: number; spread: number } | undefined;
export declare function audioLagOf(samples: Float32Array, expected: Float32Array): number | undefined;
