/** An image or video that a script describes. */
export interface GenerationRequest {
  kind: 'image' | 'video';
  prompt: string;
  aspectRatio: 'horizontal' | 'vertical' | 'squared';
  /** Absent: the first configured model. */
  model?: string;
  /** Name of the provider; absent: the configured one. */
  connection?: string;
  /** As in the script; only allowed settings reach a provider. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** Model settings, sent as form fields or JSON properties. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** The resolved request to a provider; its fields form the cache key. */
export interface ProviderRequest {
  prompt: string;
  model: string;
  /** `1536x1024`, or `auto`. */
  size: string;
  settings: Settings;
}

export interface GenerationProvider {
  /** Part of the cache key: changes when the same request may have another result. */
  readonly version: string;
  /** Writes the result to `path`. Failures are AppErrors whose text may be shown to clients. */
  generate(request: ProviderRequest, path: string, signal: AbortSignal): Promise<void>;
}
